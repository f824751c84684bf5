package org.fencepost.simulation.ph1;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.simulation.ph1.Note.Told;
import org.fencepost.simulation.world.Failure;

/**
 * Judges a run by the properties of specs/PH1.tla. Several transactions may have one snapshot, so each value is one that nobody else wrote, and tells its
 * writer.
 */
final class Judge {

    private final List<Note> notes;
    private final LongPredicate logSaysCommit;
    private final Map<String, Cell<Long>> cells;

    /** @param logSaysCommit of a commit timestamp @param cells what the store has in the end */
    Judge(List<Note> notes, LongPredicate logSaysCommit, Map<String, Cell<Long>> cells) {
        this.notes = notes;
        this.logSaysCommit = logSaysCommit;
        this.cells = cells;
    }

    /** Null if all is well. */
    Failure judge() {
        for (Note note : notes) {
            Failure failure = judge(note);
            if (failure != null) {
                return failure;
            }
        }
        return judgeStore();
    }

    private boolean hasCommitted(Note note) {
        return note.tx.commitTs() != 0 && logSaysCommit.test(note.tx.commitTs());
    }

    private Failure judge(Note note) {
        for (Note.Read read : note.reads) {
            Long expected = valueAt(read.key(), note.tx.readTs());
            if (!Objects.equals(read.found(), expected)) {
                return failure("Snapshot", note, "its snapshot has " + expected + " in " + read.key());
            }
        }
        boolean untrue = note.told == Told.COMMITTED && !note.values.isEmpty() && !hasCommitted(note)
                || (note.told == Told.ABORTED || note.told == Told.TOO_OLD) && hasCommitted(note);
        if (untrue) {
            return failure("AnswersTrue", note, "the log says something else");
        }
        if (note.missing != null) {
            return failure("AnsweredIsStored", note, "its value of " + note.missing + " was not stored when it was answered");
        }
        if (note.told == Told.TOO_OLD && !note.excused) {
            return failure("AbortsHaveReason", note, "a version was missing, and most instances had stayed together");
        }
        for (Note before : note.before) {
            if (before.tx.commitTs() >= note.tx.readTs()) {
                return failure("StrongSI", note, "it does not see what was committed in its session before: " + before);
            }
        }
        return hasCommitted(note) ? judgeCommit(note) : null;
    }

    private Failure judgeCommit(Note note) {
        for (Note other : notes) {
            boolean overlap = other != note && hasCommitted(other) && other.tx.commitTs() >= note.tx.readTs() && other.tx.commitTs() < note.tx.commitTs();
            if (overlap && other.values.keySet().stream().anyMatch(note.values::containsKey)) {
                return failure("FirstCommitterWins", note, "and so did " + other);
            }
        }
        return null;
    }

    private Long valueAt(String key, long readTs) {
        Note last = null;
        for (Note note : notes) {
            if (hasCommitted(note) && note.values.containsKey(key) && note.tx.commitTs() < readTs && (last == null || note.tx.commitTs() > last.tx.commitTs())) {
                last = note;
            }
        }
        return last == null ? null : last.values.get(key);
    }

    /** The store has what was committed last. */
    private Failure judgeStore() {
        for (String key : List.of("a", "b", "c", "d")) {
            Cell<Long> cell = cells.get(key);
            Long found = cell == null ? null : cell.value();
            if (!Objects.equals(found, valueAt(key, Long.MAX_VALUE))) {
                return new Failure("AnsweredIsStored", "in the end " + key + " holds " + cell + ", and not " + valueAt(key, Long.MAX_VALUE), null);
            }
        }
        return null;
    }

    private static Failure failure(String property, Note note, String what) {
        return new Failure(property, note + ": " + what, null);
    }
}
