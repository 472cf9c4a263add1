# Several servers that share PostgreSQL; included by the Makefile.
.PHONY: cluster-test

# MINUTES and SEED as for make soak
cluster-test: deps
	@sh tests/deps.sh cluster
	+@$(SUB_MAKE) all
	@python3 tests/cluster/cluster_test.py $(BUILD) --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))
