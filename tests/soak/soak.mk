# Long and hostile runs: `make soak` and `make abuse`.
.PHONY: soak abuse

# The duration, and the seed of the random numbers
MINUTES ?= 60
SEED    ?=

soak: deps
	+@$(SUB_MAKE) all
	@python3 tests/soak/soak.py $(BUILD) --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

abuse: deps
	+@$(SUB_MAKE) all
	@python3 tests/soak/abuse.py $(BUILD)
	@python3 tests/soak/fairness.py $(BUILD)
