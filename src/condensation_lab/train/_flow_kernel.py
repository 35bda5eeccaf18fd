"""Compiled steps of the gradient-flow integrator; `flow` is the public face and says what they do.

Neurons are the inner, vectorised loop and go through in contiguous blocks that stay in the first-level cache.
"""

from __future__ import annotations

import numba as nb
import numpy as np

BLOCK = 128
REACHED, STEP_LIMIT, NOT_FINITE, NO_GRADIENT = range(4)
# Reassociation lets sums over neurons vectorise; the order stays fixed, so results do not depend on threads
_RELAXED = {"reassoc", "contract", "nsz", "arcp"}


def pack(a, w):
    """Lay weights (m,) and (d, m) out in blocks (blocks, BLOCK) and (blocks, d, BLOCK).

    The last block is filled up with neurons of weight zero, which are inactive and never move.
    """
    blocks = -(-a.shape[0] // BLOCK)
    padded = np.zeros((w.shape[0] + 1, blocks * BLOCK))
    padded[0, : a.shape[0]], padded[1:, : a.shape[0]] = a, w
    laid = padded.reshape(w.shape[0] + 1, blocks, BLOCK).transpose(1, 0, 2)
    return np.ascontiguousarray(laid[:, 0]), np.ascontiguousarray(laid[:, 1:])


def unpack(a, w, width):
    """Undo `pack` for a network of that width."""
    return a.reshape(-1)[:width].copy(), w.transpose(1, 0, 2).reshape(w.shape[1], -1)[:, :width].copy()


@nb.njit(nogil=True, cache=True, fastmath=_RELAXED)
def _add_rows(out, factors, rows):
    """Add factors @ rows to out, four rows at a time so that out is read and written a quarter as often."""
    whole = rows.shape[0] - rows.shape[0] % 4
    for r in range(0, whole, 4):
        c0, c1, c2, c3 = factors[r], factors[r + 1], factors[r + 2], factors[r + 3]
        r0, r1, r2, r3 = rows[r], rows[r + 1], rows[r + 2], rows[r + 3]
        for k in range(out.shape[0]):
            out[k] += c0 * r0[k] + c1 * r1[k] + c2 * r2[k] + c3 * r3[k]
    for r in range(whole, rows.shape[0]):
        c, row = factors[r], rows[r]
        for k in range(out.shape[0]):
            out[k] += c * row[k]


@nb.njit(nogil=True, cache=True, fastmath=_RELAXED)
def _activate(a, w, x, hidden, gate):
    """hidden[i, k] = relu(w_k . x_i) and gate[i, k] = a_k 1[w_k . x_i > 0]."""
    for i in range(x.shape[0]):
        h, g = hidden[i], gate[i]
        c, row = x[i, 0], w[0]
        for k in range(a.shape[0]):
            h[k] = c * row[k]
        _add_rows(h, x[i, 1:], w[1:])
        for k in range(a.shape[0]):
            active = h[k] > 0.0
            g[k] = a[k] if active else 0.0
            h[k] = h[k] if active else 0.0


@nb.njit(nogil=True, cache=True, fastmath=_RELAXED)
def _move(a, w, hidden, gate, x, rate_a, rate_w, impulse, new_a, new_w):
    """Parameters moved by the time-integrated residual (impulse) through the Jacobian held in hidden and gate."""
    new_a[:] = a
    _add_rows(new_a, -rate_a * impulse, hidden)
    for j in range(x.shape[1]):
        new_w[j] = w[j]
        _add_rows(new_w[j], -rate_w * impulse * x[:, j], gate)


@nb.njit(nogil=True, cache=True, fastmath=_RELAXED)
def _accumulate(a, hidden, gate, output, gram_a, gram_w):
    """Add a block to the output and to the two feature Gram matrices (lower triangles)."""
    for i in range(hidden.shape[0]):
        hi, gi = hidden[i], gate[i]
        total = 0.0
        for k in range(a.shape[0]):
            total += a[k] * hi[k]
        output[i] += total
        for j in range(i + 1):
            hj, gj = hidden[j], gate[j]
            s, t = 0.0, 0.0
            for k in range(a.shape[0]):
                s += hi[k] * hj[k]
                t += gi[k] * gj[k]
            gram_a[i, j] += s
            gram_w[i, j] += t


@nb.njit(nogil=True, cache=True, fastmath=_RELAXED)
def _squared_distance(p, q):
    total = 0.0
    for k in range(p.shape[0]):
        total += (p[k] - q[k]) ** 2
    return total


@nb.njit(nogil=True, cache=True)
def _spectrum(gram_a, gram_w, xx, scale, mobility_a, mobility_w, residual):
    """Eigenvalues and eigenvectors of the tangent kernel, and the residual in that basis."""
    n = xx.shape[0]
    kernel = np.empty((n, n))
    for i in range(n):
        for j in range(i + 1):
            value = scale * scale / n * (mobility_a * gram_a[i, j] + mobility_w * xx[i, j] * gram_w[i, j])
            kernel[i, j] = value
            kernel[j, i] = value
    if not np.isfinite(np.sum(kernel)):
        return np.full(n, np.nan), kernel, residual
    eigenvalues, vectors = np.linalg.eigh(kernel)
    return np.maximum(eigenvalues, 0.0), vectors, vectors.T @ residual


@nb.njit(nogil=True, cache=True)
def _impulse(eigenvalues, vectors, modes, h):
    """Integral of the residual over a step h with the kernel frozen; (1 - exp(-lambda h))/lambda tends to h at 0."""
    total = np.zeros(vectors.shape[0])
    for i in range(modes.shape[0]):
        decay = eigenvalues[i] * h
        weight = h if decay < 1e-12 else -np.expm1(-decay) / eigenvalues[i]
        total += vectors[:, i] * (modes[i] * weight)
    return total


@nb.njit(nogil=True, cache=True)
def _loss_after(eigenvalues, modes, h):
    return np.mean((modes * np.exp(-eigenvalues * h)) ** 2)


@nb.njit(nogil=True, cache=True)
def _step_to_stop(eigenvalues, modes, stop_loss):
    """The step at which the frozen kernel takes the loss to the stop, infinity if it never does."""
    high = 1.0 / eigenvalues[-1]
    for _ in range(200):
        if _loss_after(eigenvalues, modes, high) < stop_loss:
            break
        high *= 2.0
    else:
        return np.inf
    low = 0.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _loss_after(eigenvalues, modes, middle) < stop_loss:
            high = middle
        else:
            low = middle
    return high


@nb.njit(nogil=True, cache=True)
def _kernel_at_start(a, w, x, hidden, gate):
    n = x.shape[0]
    output, gram_a, gram_w = np.zeros(n), np.zeros((n, n)), np.zeros((n, n))
    for b in range(a.shape[0]):
        _activate(a[b], w[b], x, hidden, gate)
        _accumulate(a[b], hidden, gate, output, gram_a, gram_w)
    return output, gram_a, gram_w


@nb.njit(nogil=True, cache=True)
def _kernel_half_way(a, w, x, rate_a, rate_w, euler, hidden, gate, middle_a, middle_w):
    n = x.shape[0]
    output, gram_a, gram_w = np.zeros(n), np.zeros((n, n)), np.zeros((n, n))
    for b in range(a.shape[0]):
        _activate(a[b], w[b], x, hidden, gate)
        _move(a[b], w[b], hidden, gate, x, rate_a, rate_w, 0.5 * euler, middle_a, middle_w)
        _activate(middle_a, middle_w, x, hidden, gate)
        _accumulate(middle_a, hidden, gate, output, gram_a, gram_w)
    return gram_a, gram_w


@nb.njit(nogil=True, cache=True)
def _step(a, w, a_start, w_start, x, rate_a, rate_w, euler, midpoint, hidden, gate, middle_a, middle_w, new_a, new_w):
    """The midpoint step into new_a and new_w, the kernel at its end, and its distance from the frozen step."""
    n = x.shape[0]
    output, gram_a, gram_w = np.zeros(n), np.zeros((n, n)), np.zeros((n, n))
    euler_a, euler_w = np.empty_like(middle_a), np.empty_like(middle_w)
    error_a, error_w, moved_a, moved_w = 0.0, 0.0, 0.0, 0.0
    for b in range(a.shape[0]):
        # the Jacobians are formed again rather than kept: a block in cache costs less than a trip to memory
        _activate(a[b], w[b], x, hidden, gate)
        _move(a[b], w[b], hidden, gate, x, rate_a, rate_w, 0.5 * euler, middle_a, middle_w)
        _move(a[b], w[b], hidden, gate, x, rate_a, rate_w, euler, euler_a, euler_w)
        _activate(middle_a, middle_w, x, hidden, gate)
        _move(a[b], w[b], hidden, gate, x, rate_a, rate_w, midpoint, new_a[b], new_w[b])
        error_a += _squared_distance(new_a[b], euler_a)
        moved_a += _squared_distance(new_a[b], a_start[b])
        for j in range(x.shape[1]):
            error_w += _squared_distance(new_w[b, j], euler_w[j])
            moved_w += _squared_distance(new_w[b, j], w_start[b, j])
        _activate(new_a[b], new_w[b], x, hidden, gate)
        _accumulate(new_a[b], hidden, gate, output, gram_a, gram_w)
    error = max(np.sqrt(error_a / max(moved_a, 1e-300)), np.sqrt(error_w / max(moved_w, 1e-300)))
    return output, gram_a, gram_w, error


@nb.njit(nogil=True, cache=True)
def integrate(a_start, w_start, x, y, scale, mobility_a, mobility_w, tolerance, stop_loss, max_steps):
    """Run one network, in the blocks of `pack`, to its stop; see `flow.gradient_flow` for the method."""
    n, d = x.shape
    xx = x @ x.T
    rate_a, rate_w = mobility_a * scale / n, mobility_w * scale / n
    a, w = a_start.copy(), w_start.copy()
    new_a, new_w = np.empty_like(a), np.empty_like(w)
    hidden, gate = np.empty((n, BLOCK)), np.empty((n, BLOCK))
    middle_a, middle_w = np.empty(BLOCK), np.empty((d, BLOCK))
    output, gram_a, gram_w = _kernel_at_start(a, w, x, hidden, gate)
    residual = scale * output - y
    loss = np.mean(residual**2)
    values, vectors, modes = _spectrum(gram_a, gram_w, xx, scale, mobility_a, mobility_w, residual)
    time, accepted, rejected, proposal = 0.0, 0, 0, np.inf
    if not np.isfinite(loss):
        return a, w, loss, time, accepted, rejected, NOT_FINITE
    while loss > stop_loss * (1 + 1e-6):
        if accepted + rejected >= max_steps:
            return a, w, loss, time, accepted, rejected, STEP_LIMIT
        if not np.isfinite(values[-1]):
            return a, w, loss, time, accepted, rejected, NOT_FINITE
        if not values[-1] > 0.0:
            return a, w, loss, time, accepted, rejected, NO_GRADIENT
        # any first step will do: the error estimate corrects it at the cost of a few rejections
        h = min(proposal, _step_to_stop(values, modes, stop_loss))
        if h == np.inf:
            h = 1e3 / values[-1]
        euler = _impulse(values, vectors, modes, h)
        gram_a, gram_w = _kernel_half_way(a, w, x, rate_a, rate_w, euler, hidden, gate, middle_a, middle_w)
        middle_values, middle_vectors, middle_modes = _spectrum(
            gram_a, gram_w, xx, scale, mobility_a, mobility_w, residual
        )
        if not np.isfinite(middle_values[-1]):
            rejected += 1
            proposal = 0.1 * h
            continue
        midpoint = _impulse(middle_values, middle_vectors, middle_modes, h)
        output, gram_a, gram_w, error = _step(
            a, w, a_start, w_start, x, rate_a, rate_w, euler, midpoint, hidden, gate, middle_a, middle_w, new_a, new_w
        )
        new_residual = scale * output - y
        error = error / tolerance if np.isfinite(np.sum(new_residual)) else np.inf
        if not error <= 1.0:
            rejected += 1
            proposal = h * max(0.1, 0.9 / error)
            if proposal == 0.0:
                return a, w, loss, time, accepted, rejected, NOT_FINITE
            continue
        a, new_a = new_a, a
        w, new_w = new_w, w
        residual = new_residual
        loss = np.mean(residual**2)
        values, vectors, modes = _spectrum(gram_a, gram_w, xx, scale, mobility_a, mobility_w, residual)
        time += h
        accepted += 1
        proposal = h * min(5.0, 0.9 / np.sqrt(max(error, 1e-4)))
    return a, w, loss, time, accepted, rejected, REACHED
