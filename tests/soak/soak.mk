# Long and hostile runs: `make soak`, `make abuse` and `make strangers`.
.PHONY: soak abuse strangers

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

# With NETWORKS=yes, as root: 1,000 IPv6 networks of 64 bits instead of one address; with PROXY=yes everybody
# comes through one proxy
NETWORKS ?=
PROXY    ?=
strangers: MINUTES = 10
strangers: deps
	+@$(SUB_MAKE) all
	@$(if $(NETWORKS),unshare -n) python3 tests/soak/strangers.py $(BUILD) --minutes $(MINUTES) \
	    $(if $(NETWORKS),--networks) $(if $(PROXY),--proxy)
