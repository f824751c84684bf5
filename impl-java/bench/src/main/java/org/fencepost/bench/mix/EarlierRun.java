package org.fencepost.bench.mix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.mix.ContenderServer.Figures;
import org.fencepost.bench.mix.Turn.Scene;

/**
 * What a run of {@link Bench} has left in its CSV and JSON, so that its reports can be written again.
 *
 * @param settings a JSON object
 */
record EarlierRun(Machine machine, String settings, List<Turn> turns, Profile profile) {

    private static final int FIRST_PHASE = 18;

    /** Throws IOException with one sentence if the files are no good. */
    static EarlierRun read(Path directory) throws IOException {
        try {
            JsonNode json = new ObjectMapper().readTree(directory.resolve("bench.json").toFile());
            JsonNode m = json.get("machine");
            Machine machine = new Machine(m.get("processor").asText(), m.get("cores").asInt(), m.get("system").asText(), m.get("java").asText(),
                    m.get("commit").asText(), m.get("time").asText());
            return new EarlierRun(machine, json.get("settings").toString(), turns(Files.readAllLines(directory.resolve("bench.csv"))), profile(json.get("profile")));
        } catch (IOException | RuntimeException e) {
            throw new IOException("There are no results of a benchmark in " + directory + ", or not of this version: " + e, e);
        }
    }

    private static List<Turn> turns(List<String> csv) {
        if (!csv.get(1).equals(BenchResults.COLUMNS)) {
            throw new IllegalArgumentException("bench.csv has other columns");
        }
        Map<List<String>, List<String[]>> byTurn = new LinkedHashMap<>();
        for (String line : csv.subList(2, csv.size())) {
            String[] row = line.split(",", -1);
            byTurn.computeIfAbsent(List.of(row[0], row[1], row[2], row[4], row[5]), key -> new ArrayList<>()).add(row);
        }
        return byTurn.values().stream().map(EarlierRun::turn).toList();
    }

    private static Turn turn(List<String[]> rows) {
        String[] row = rows.get(0);
        return new Turn(Workload.valueOf(row[0]), Integer.parseInt(row[1]), Integer.parseInt(row[2]), number(row[3]), row[4], Integer.parseInt(row[5]),
                number(row[6]), number(row[7]), number(row[8]), number(row[9]), number(row[10]), number(row[11]),
                rows.stream().map(EarlierRun::figures).toList());
    }

    private static Figures figures(String[] row) {
        double[] phases = new double[row.length - FIRST_PHASE];
        for (int i = 0; i < phases.length; i++) {
            phases[i] = number(row[FIRST_PHASE + i]);
        }
        return new Figures(row[12], Long.parseLong(row[13]), Long.parseLong(row[14]), number(row[15]), number(row[16]), number(row[17]), phases);
    }

    private static double number(String field) {
        return field.isEmpty() ? Double.NaN : Double.parseDouble(field);
    }

    private static Profile profile(JsonNode parts) {
        Profile profile = new Profile();
        for (JsonNode part : parts) {
            long samples = part.get("samples").asLong();
            profile.add(new Scene(Workload.valueOf(part.get("workload").asText()), part.get("threads").asInt(), part.get("backgroundTps").asInt()),
                    part.get("system").asText(), part.get("process").asText(), part.get("part").asText(), samples,
                    Math.round(samples * part.get("switchingShare").asDouble()));
        }
        return profile;
    }
}
