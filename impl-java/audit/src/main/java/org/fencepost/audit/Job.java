package org.fencepost.audit;

import java.nio.file.Path;
import java.util.List;

/**
 * One run of TLC: a model, or a mutant of a model.
 *
 * @param name unique within its spec; the file's name without ending
 * @param file the .cfg of a model, the module of a mutant
 * @param module name of the module that TLC checks
 * @param config what TLC is to check, or null where {@code problem} says why there is none
 * @param expected {@code pass} or {@code violates P}
 * @param states pinned number of distinct states; null where none is pinned. A mutant has its model's, as a guess of its size
 * @param depth pinned depth, or null
 * @param witnesses what the run must print
 * @param uncovered actions that the model does not reach, on purpose
 * @param coverage whether actions are counted (costs some 10 to 40 % of the run's time)
 * @param guard operator that the mutant removes; null for a model
 * @param why why the guard is there, or why the mutant survives; null for a model
 * @param problem why this cannot run, one sentence; null where it can
 */
record Job(String spec, String name, Kind kind, Path file, String module, Config config, Expected expected, Long states, Long depth,
    List<String> witnesses, List<String> uncovered, boolean coverage, boolean deep, String guard, String why, String problem) {

  enum Kind { MODEL, MUTANT }

  /** @param property what must be violated; null for {@code pass} */
  record Expected(String property) {
    static final Expected PASS = new Expected(null);

    boolean pass() {
      return property == null;
    }

    @Override
    public String toString() {
      return pass() ? "pass" : "violates " + property;
    }
  }

  String id() {
    return spec + "/" + name;
  }

  boolean isMutant() {
    return kind == Kind.MUTANT;
  }

  /** Pinned numbers are promised for models that pass; a mutant's or a violated model's search stops early. */
  boolean pinned() {
    return !isMutant() && expected.pass();
  }

  boolean reportsCoverage() {
    return coverage && pinned() && !deep;
  }
}
