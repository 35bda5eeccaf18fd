"""Training: the gradient-flow integrator and gradient descent, each the other's second route."""
