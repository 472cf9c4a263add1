# Several servers that share PostgreSQL; included by the Makefile.
.PHONY: cluster cluster-test tournament-test upgrade-test patroni-test cluster-bench engine-transcripts

# MINUTES and SEED as for make soak
cluster-test: deps
	@sh tests/support/deps.sh cluster
	+@$(SUB_MAKE) all
	@python3 tests/cluster/cluster_test.py $(BUILD) --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

tournament-test: deps
	@sh tests/support/deps.sh cluster
	+@$(SUB_MAKE) $(BUILD)/ludusd
	@python3 tests/cluster/tournament_test.py $(BUILD)

upgrade-test: deps
	@sh tests/support/deps.sh cluster
	+@$(SUB_MAKE) $(BUILD)/ludusd $(BUILD)/next/ludusd
	@python3 tests/cluster/upgrade_test.py $(BUILD)

patroni-test: deps
	@sh tests/support/deps.sh patroni
	+@$(SUB_MAKE) $(BUILD)/ludusd
	@python3 tests/cluster/patroni_test.py $(BUILD)

cluster: deps
	@sh tests/support/deps.sh cluster
	+@$(SUB_MAKE) all
	@python3 tests/cluster/run_cluster.py $(BUILD)

cluster-bench: deps
	@sh tests/support/deps.sh cluster
	+@$(SUB_MAKE) $(BUILD)/ludusd $(BUILD)/bench/load
	@python3 tests/cluster/bench.py $(BUILD)

engine-transcripts: deps
	@sh tests/support/deps.sh cluster
	+@$(SUB_MAKE) $(BUILD)/tests/test_transcripts
	@python3 tests/cluster/engine_transcripts.py $(BUILD)
