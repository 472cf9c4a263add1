# The page in a browser: `make web-test`.
.PHONY: web-test web-tools

web-test: deps web-tools
	+@$(SUB_MAKE) all
	@sh tests/test.sh $(BUILD) tests/web/test_*.py

# For the tests that need more than Debian has.
web-tools:
	@sh tests/deps.sh web
	@[ -e tests/web/node_modules/axe-core ] || (cd tests/web && npm ci --no-audit --no-fund)
