# The page in a browser: `make web-test`, `make web-firefox`, `make web-shots` and `make web-bench`.
.PHONY: web-test web-firefox web-tools web-shots web-bench

web-test: deps web-tools
	+@$(SUB_MAKE) all
	@sh tests/test.sh $(BUILD) tests/web/test_*.py

# The main ones in Firefox: whole matches by every way to move, a server that dies, tabs, settings, keys.
web-firefox: export BROWSER = firefox
web-firefox: deps
	@sh tests/support/deps.sh firefox
	+@$(SUB_MAKE) all
	@python3 tests/web/test_page.py $(BUILD) clobber shakti
	@python3 tests/web/test_coming_again.py $(BUILD) a_server_that_is_killed a_server_that_is_stopped another_tab a_page_that_is_loaded_again
	@python3 tests/web/test_settings.py $(BUILD) the_ways boards sound
	@python3 tests/web/test_hands.py $(BUILD) arrow_keys the_list_of_keys

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
