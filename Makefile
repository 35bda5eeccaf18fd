# `make book` builds the book, `make test` checks everything that CI checks. Both make .venv first, if need be.
# Another Python than python3: `make PYTHON=python3.12 ...`.
PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/condensation-lab
STEPS := _build/test-steps.txt
BROWSER_TESTS := tests/site tests/test_binder.py

# $(call step,NAME,COMMAND): run a command and note its seconds; the table of `make test` is made of these notes.
step = @echo "== $(1)"; begin=$$(date +%s); $(2); code=$$?; \
	printf '%6d s  %s%s\n' $$(($$(date +%s) - begin)) "$(1)" "$$([ $$code = 0 ] || echo '  FAILED')" >> $(STEPS); \
	[ $$code = 0 ] || cat $(STEPS); exit $$code

.DEFAULT_GOAL := book
.PHONY: book test check serve lint notebooks atlas accept-claims lock clean setup

setup:
	@PYTHONPATH=src $(PYTHON) -m condensation_lab.publish.environment

book: setup  ## execute the notebooks, build and check _build/site
	$(RUN) book

serve: setup  ## show _build/site at 127.0.0.1
	$(RUN) serve

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint  ## lint and the unit tests that are not slow, for every save
	$(BIN)/pytest -q -n 2 --dist loadfile -m "not slow" $(addprefix --ignore=,$(BROWSER_TESTS))

test:  ## everything that CI checks
	@mkdir -p _build && : > $(STEPS)
	$(call step,set-up,$(MAKE) --no-print-directory setup)
	$(call step,lint,$(MAKE) --no-print-directory lint)
	$(call step,unit tests,$(BIN)/pytest -q -n 2 --dist loadfile $(addprefix --ignore=,$(BROWSER_TESTS)))
	$(call step,notebooks against their stored outputs (nbval),$(BIN)/pytest -q --nbval notebooks/)
	$(call step,book,$(RUN) book)
	$(call step,site tests,$(BIN)/pytest -q tests/site)
	$(call step,Binder tests,$(BIN)/pytest -q tests/test_binder.py)
	@echo "== everything passed"; cat $(STEPS)

notebooks: setup  ## execute the notebooks again and keep the outputs that nbval compares
	$(RUN) notebooks

atlas: setup  ## make atlas STUDY=two-layer-phase-diagram: measure at paper scale
	$(RUN) atlas $(or $(STUDY),$(error name a study, as in `make atlas STUDY=two-layer-phase-diagram`))

accept-claims: setup  ## make accept-claims REASON="...": the verdicts of the last build become the expected ones
	$(RUN) accept-claims --reason "$$REASON"

lock: setup  ## write requirements.txt again, keeping the versions that still fit
	@mkdir -p _build && cp requirements.txt _build/resolved.txt && grep '^#' requirements.txt > _build/lock.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --no-header --annotation-style line \
		--output-file _build/resolved.txt pyproject.toml > /dev/null
	grep -vE '^(nvidia|cuda|triton)' _build/resolved.txt | sed -E 's/ +# via/  # via/; s/ .pyproject.toml.//' >> _build/lock.txt
	mv _build/lock.txt requirements.txt

clean:  ## remove what was built; .venv stays
	rm -rf _build book/web/node_modules book/web/vendor
