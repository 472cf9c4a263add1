/* A bot for a Ludus server, to copy: replace choose().

usage: java Player.java NAME [HOST:PORT] [seek=GAME[:VARIANT]] [clock=BASE+INC] [tournament=ID]
It accepts challenges, or looks for opponents with seek= or tournament=, and plays many matches at once. It
comes back after a lost connection, with the token that it keeps in the file NAME.token. Ctrl-C ends it. */
import java.io.*;
import java.net.Socket;
import java.nio.file.*;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.*;
import java.util.regex.*;
import static java.nio.charset.StandardCharsets.UTF_8;

class Player {
    static final Set<String> GAMES = Set.of("clobber", "xadrersi", "latrunculi", "shakti");
    static final int MATCHES_MAX = 8, RETRY_MS = 300000;
    /* Returns one of the legal moves: it is our turn. field(state, "position") is the position, as protocol.md describes it. It must not
     * take more than 20 s, or the server misses us. */
    static String choose(String state, String[] legal) { return legal[new Random().nextInt(legal.length)]; }
    /* In the texts of a message quotes are never bare: patterns find what is needed. */
    static List<String> all(String json, String pattern) {
        return Pattern.compile(pattern).matcher(json).results().map(found -> found.group(1)).toList();
    }
    static String find(String json, String pattern) { return all(json, pattern).stream().findFirst().orElse(""); }
    static String field(String json, String name) {
        return find(json, "\"" + name + "\": ?((?:\"(?:[^\"\\\\]|\\\\.)*\")|[^],}\\[{]*)").replaceAll("^\"|\"$", "");
    }

    static final Map<String, String> wishes = new HashMap<>(), moves = new HashMap<>();
    static final Set<String> matches = new HashSet<>();
    static PrintStream out; // who reads notices a lost connection
    static String name;
    static Path file; static boolean welcome;
    static void fail(String why) { System.err.println("Player.java: " + why); System.exit(1); }
    static void send(String line) { out.print(line + "\n"); }
    static void sendLater(long ms, String line) { new Timer(true).schedule(new TimerTask() { public void run() { send(line); } }, ms); }
    static void hello() throws IOException {
        String token = Files.exists(file) ? " token=" + Files.readString(file).strip() : "";
        send("hello " + name + " bot=yes only=yes client=Player.java max=" + MATCHES_MAX + token);
    }
    static void answer(String offer, String match) {
        String what = field(offer, "what");
        boolean agreed = what.equals("undo") || what.equals("rematch") && matches.size() < MATCHES_MAX;
        if (!field(offer, "from").equals(name)) send((agreed ? what : "decline") + " " + match);
    }
    static void welcome(String m) throws IOException {
        Files.writeString(file, ""); // nobody else is to read it
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, field(m, "token"));
        welcome = true; System.out.println(name + " plays");
        if (!field(m, "matches").isEmpty()) send("#50 list mine from=50"); // more than the 50 that come by themselves
        String clock = wishes.containsKey("clock") ? " clock=" + wishes.get("clock") : "";
        if (wishes.containsKey("seek")) send("seek " + wishes.get("seek") + clock + " repeat=yes");
        if (wishes.containsKey("tournament")) send("tournament join " + wishes.get("tournament"));
    }
    static void refused(String m, String cmd, String code, String why) throws IOException {
        boolean passes = code.matches("rate-limited|server-busy|internal");
        long waitMs = field(m, "retry_ms").isEmpty() ? 1000 : Long.parseLong(field(m, "retry_ms"));
        if (cmd.equals("move") && passes) sendLater(waitMs, moves.getOrDefault(field(m, "id"), "")); // as no state comes
        else if (cmd.equals("hello") && passes) throw new IOException(why);
        else if (cmd.equals("hello") && code.matches("name-taken|bad-token") && Files.deleteIfExists(file)) hello(); // we are new there
        else if (cmd.equals("hello")) fail(why);
        else if (cmd.matches("seek|tournament")) System.out.println(cmd + ": " + why);
    }
    static void state(String m, String match, String you) {
        boolean over = field(m, "status").equals("over");
        if (over && matches.remove(match))
            System.out.println("match " + match + ": " + field(m, "result") + " " + field(m, "reason") + ", we were " + you);
        if (over || you.equals("null")) return;
        if (matches.add(match)) // offers that were made while we were away
            all(find(m, "\"offers\": ?\\[([^]]*)"), "\\{([^}]*)\\}").forEach(offer -> answer(offer, match));
        String legal = find(m, "\"legal\": ?\\[([^]]*)").replaceAll("[\" ]", "");
        if (legal.isEmpty()) return;
        String move = "#" + match + " move " + match + " " + choose(m, legal.split(",")) + " ply=" + field(m, "ply");
        moves.put(match, move); send(move);
    }
    static void take(String m) throws IOException {
        String match = field(m, "match"), cmd = field(m, "cmd"), reason = field(m, "reason"), wait = field(m, "claim_ms");
        switch (field(m, "type")) {
            case "ok" -> { if (cmd.equals("hello")) welcome(m); }
            case "error" -> refused(m, cmd, field(m, "code"), field(m, "message"));
            case "state" -> state(m, match, field(m, "you"));
            case "list" -> {
                var rows = all(m, "\"match\": ?\"([^\"]*)");
                rows.forEach(row -> send("state " + row));
                if (!rows.isEmpty()) send("#%1$d list mine from=%1$d".formatted(Integer.parseInt(field(m, "id")) + rows.size())); }
            case "challenge" -> {
                String why = matches.size() >= MATCHES_MAX ? " busy" : GAMES.contains(field(m, "game")) ? "" : " game";
                send((why.isEmpty() ? "join " : "decline ") + match + why); }
            case "offer" -> { if (field(m, "open").equals("true")) answer(m, match); }
            case "presence" -> { // the opponent has gone
                if (wait.matches("\\d+") && !field(m, "name").equals(name)) sendLater(Long.parseLong(wait) + 100, "claim " + match); }
            case "ping" -> send("ping");
            case "bye" -> { if (reason.matches("replaced|too-many-errors|limit")) fail("the server says goodbye: " + reason); }
        }
    }
    public static void main(String[] words) throws Exception {
        Arrays.stream(words).map(word -> word.split("=", 2)).filter(word -> word.length > 1).forEach(word -> wishes.put(word[0], word[1]));
        var rest = Arrays.stream(words).filter(word -> !word.contains("=")).toList();
        if (rest.isEmpty()) fail("usage: java Player.java NAME [HOST:PORT] [seek=GAME[:VARIANT]] [clock=BASE+INC] [tournament=ID]");
        Matcher address = Pattern.compile("\\[?(.*?)\\]?:(\\d+)").matcher(rest.size() > 1 ? rest.get(1) : "localhost:7117");
        if (!address.matches()) fail(rest.get(1) + ": write HOST:PORT");
        file = Path.of((name = rest.get(0)) + ".token");
        long lost = System.currentTimeMillis();
        for (; System.currentTimeMillis() < lost + RETRY_MS; Thread.sleep(300)) {
            matches.clear(); welcome = false;
            try (var server = new Socket(address.group(1), Integer.parseInt(address.group(2)))) {
                server.setTcpNoDelay(true);
                server.setSoTimeout(90000); // the server is never silent for so long
                out = new PrintStream(server.getOutputStream(), true, UTF_8); hello();
                var in = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8));
                for (String line; (line = in.readLine()) != null;) take(line);
            } catch (IOException error) {
                System.out.println(error.getMessage() + ": trying again");
            }
            if (welcome) lost = System.currentTimeMillis();
        }
        fail("no server");
    }
}
