# Faults in sockets, memory errors and races; included by the Makefile.

.PHONY: fault-test valgrind tsan

fault-test: deps
	+@$(SUB_MAKE) all $(PRELOADS)
	@python3 tests/tcp/test_faults.py $(BUILD)

valgrind: deps
	@sh tests/support/deps.sh valgrind
	+@$(SUB_MAKE) all $(TESTS)
	@python3 tests/faults/valgrind.py $(BUILD)

# Only ludus-bot has threads. WERROR: this sanitizer makes gcc issue false warnings.
tsan: deps
	+@$(SUB_MAKE) $(BUILD)/ludusd
	+@$(SUB_MAKE) BUILD=$(BUILD)/tsan CFLAGS="-O1 -g" WERROR= \
		SANITIZE="-fsanitize=thread -fno-omit-frame-pointer" \
		$(patsubst %,$(BUILD)/tsan/%,ludus-bot tests/test_search)
	@$(BUILD)/tsan/tests/test_search
	@python3 tests/faults/threads.py $(BUILD)/tsan $(BUILD)
