# Long and hostile runs: `make soak` and `make abuse`.
.PHONY: soak abuse

# How long, and with which random numbers
MINUTES ?= 60
SEED    ?=

soak: deps
	+@$(SUB_MAKE) all
	@python3 tests/soak/soak.py $(BUILD) --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

abuse: deps
	+@$(SUB_MAKE) all
	@python3 tests/soak/abuse.py $(BUILD)
	@python3 tests/soak/fairness.py $(BUILD)
