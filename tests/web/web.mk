# The page in a browser: `make web-test`, `make web-shots` and `make web-bench`.
.PHONY: web-test web-tools web-shots web-bench

web-test: deps web-tools
	+@$(SUB_MAKE) all
	@sh tests/test.sh $(BUILD) tests/web/test_*.py

# For the tests that need more than Debian has.
web-tools:
	@sh tests/support/deps.sh web
	@[ -e tests/web/node_modules/axe-core ] || (cd tests/web && npm ci --no-audit --no-fund)

web-shots: deps
	@sh tests/support/deps.sh web
	+@$(SUB_MAKE) all
	@python3 tests/web/web_shots.py $(BUILD)
	@python3 tests/web/test_golden.py $(BUILD) --write

web-bench: deps
	@sh tests/support/deps.sh web
	+@$(SUB_MAKE) all
	@python3 tests/web/web_bench.py $(BUILD)
