# Installing, and what is handed on: make install, uninstall, dist, deb, deb-test. A part of the
# Makefile.

PREFIX     ?= /usr/local
prefix      = $(PREFIX)
bindir      = $(prefix)/bin
# People start servers of their own: ludusd is not for root only.
sbindir     = $(bindir)
datarootdir = $(prefix)/share
mandir      = $(datarootdir)/man
localedir   = $(datarootdir)/locale
docdir      = $(datarootdir)/doc/ludus
# For the folders of the system, as their programs expect it; else below the prefix.
sysconfdir  = $(if $(filter /usr /usr/local,$(prefix)),/etc,$(prefix)/etc)
unitdir     = $(prefix)/lib/systemd/system
sysusersdir = $(prefix)/lib/sysusers.d
bashcompdir = $(datarootdir)/bash-completion/completions
zshcompdir  = $(datarootdir)/zsh/site-functions
INSTALL    ?= install

CONFIG = $(sysconfdir)/ludus/ludusd.conf
PAGES  = $(wildcard client/*.6 client/*/*.6 server/*.5 server/*.8)
# In the same folders below $(docdir) as here, so that their links lead somewhere.
DOCS   = LICENSE $(wildcard *.md common/*.md common/*.schema.json server/*.md client/*.md client/web/*.md client/python/*.md tests/*.md tests/*/*.md) \
         $(addprefix tests/shots/,hint.svg light.svg \
           web-latrunculi-desktop-light.webp web-xadrersi-desktop-dark.webp)

# What goes where, as FOLDER:FILE.
INSTALLED_PROGRAMS = $(addprefix $(bindir):$(BUILD)/,ludus ludus-bot ludus-bridge) \
                     $(sbindir):$(BUILD)/ludusd
INSTALLED_FILES = $(foreach page,$(PAGES),$(mandir)/man$(subst .,,$(suffix $(page))):$(page)) \
                  $(foreach doc,$(DOCS),$(docdir)/$(dir $(doc)):$(doc)) \
                  $(foreach language,$(LANGUAGES),$(localedir)/$(language)/LC_MESSAGES:$(BUILD)/locale/$(language)/LC_MESSAGES/ludus.mo) \
                  $(addprefix $(docdir)/examples:,$(wildcard client/examples/*) server/ludus-avahi.service) \
                  $(addprefix $(bashcompdir):,$(wildcard client/*.bash client/*/*.bash server/*.bash)) \
                  $(addprefix $(zshcompdir):,$(wildcard client/_* client/*/_* server/_*))
# The units name the folders of this installation, as TARGET:FILE.
INSTALLED_UNITS = $(foreach name,ludusd.service ludusd.socket,$(unitdir)/$(name):server/$(name)) \
                  $(sysusersdir)/ludusd.conf:server/ludusd.sysusers
TO_FOLDERS = -e 's|/usr/local/bin/ludusd|$(sbindir)/ludusd|g' -e 's|/usr/local/lib/sysusers.d|$(sysusersdir)|g' \
             $(if $(filter /etc,$(sysconfdir)),,-e 's|/etc/ludus|$(sysconfdir)/ludus|g' \
               -e 's|^ConfigurationDirectory=ludus|Environment=CONFIGURATION_DIRECTORY=$(sysconfdir)/ludus|')

.PHONY: check-folders install install-files uninstall dist deb deb-test

# Lists of make end at blanks. Only DESTDIR may have some.
FOLDERS = prefix bindir sbindir datarootdir mandir localedir docdir sysconfdir unitdir sysusersdir bashcompdir zshcompdir
check-folders:
	@$(foreach name,$(FOLDERS),$(if $(word 2,$($(name))),echo "$(name): '$($(name))' has a blank: choose a folder without" >&2; \
		exit 1;)):

install: check-folders all
	@$(MAKE) --no-print-directory install-files

# Builds nothing, and writes only below DESTDIR, as root may run it. An existing configuration stays.
install-files: check-folders
	@for pair in $(INSTALLED_PROGRAMS); do \
		$(INSTALL) -D -m 755 "$${pair#*:}" -t "$(DESTDIR)$${pair%%:*}" || exit 1; done
	@for pair in $(INSTALLED_FILES); do \
		$(INSTALL) -D -m 644 "$${pair#*:}" -t "$(DESTDIR)$${pair%%:*}" || exit 1; done
	@for pair in $(INSTALLED_UNITS); do sed $(TO_FOLDERS) "$${pair#*:}" | \
		$(INSTALL) -D -m 644 /dev/stdin "$(DESTDIR)$${pair%%:*}" || exit 1; done
	@[ -e "$(DESTDIR)$(CONFIG)" ] || $(INSTALL) -D -m 644 server/ludusd.conf "$(DESTDIR)$(CONFIG)"
	@echo "installed below $(DESTDIR)$(prefix); the configuration is $(DESTDIR)$(CONFIG)"

# The matches stay, and a configuration that was changed.
uninstall: check-folders
	@for pair in $(INSTALLED_PROGRAMS) $(INSTALLED_FILES); do \
		file=$${pair#*:}; rm -f "$(DESTDIR)$${pair%%:*}/$${file##*/}" || exit 1; done
	@for pair in $(INSTALLED_UNITS); do rm -f "$(DESTDIR)$${pair%%:*}" || exit 1; done
	@if cmp -s server/ludusd.conf "$(DESTDIR)$(CONFIG)"; then rm "$(DESTDIR)$(CONFIG)"; fi
	@cd "$(DESTDIR)$(docdir)" 2>/dev/null && rmdir -p $(sort $(dir $(DOCS))) 2>/dev/null || true
	@rmdir "$(DESTDIR)$(docdir)/examples" "$(DESTDIR)$(docdir)" "$(DESTDIR)$(dir $(CONFIG))" \
		2>/dev/null || true

# The same sources give the same archive, byte for byte.
DIST = $(BUILD)/ludus-$(VERSION).tar.gz

dist:
	@sh server/dist.sh $(VERSION) $(DIST)
	@echo $(DIST)

# CHECK=yes runs the tests meanwhile, which takes minutes.
CHECK ?=

deb: dist
	@sh server/deb.sh $(VERSION) $(DIST) $(BUILD)/deb $(CHECK)

deb-test: deb
	@sh tests/install/deb_test.sh $(BUILD)/deb
