# What breaks when memory, sockets or threads misbehave; included by the Makefile.

.PHONY: fault-test

# Every single piece of memory refused in turn: make test takes only some.
fault-test: deps
	+@$(SUB_MAKE) all $(BUILD)/tests/test_memory $(PRELOADS)
	@$(BUILD)/tests/test_memory 1
	@python3 tests/tcp/test_starve.py $(BUILD) 1
	@python3 tests/tcp/test_faults.py $(BUILD)
