------------------------------- MODULE APOmidLL -------------------------------
(* Two transactions and one key for Apalache, which takes constants from here. *)
EXTENDS Integers, FiniteSets

Txn == {"t1_OF_TXN", "t2_OF_TXN"}
Key == {"k1_OF_KEY"}
NoTxn == "none_OF_TXN"
NoKey == "none_OF_KEY"
Contents == {"value", "tombstone"}

VARIABLES
    \* @type: TXN -> Str;
    status,
    \* @type: TXN -> Int;
    readTs,
    \* @type: TXN -> Int;
    commitTs,
    \* @type: TXN -> Set(KEY);
    writes,
    \* @type: TXN -> Set(KEY);
    deletes,
    \* @type: TXN -> Set(KEY);
    unanswered,
    \* @type: TXN -> Set(KEY);
    todo,
    \* @type: TXN -> { step: Str, key: KEY, met: TXN };
    cursor,
    \* @type: Int;
    clock,
    \* @type: KEY -> Int;
    lastCommit,
    \* @type: Int;
    lowWatermark,
    \* @type: KEY -> Set(TXN);
    stored,
    \* @type: KEY -> (TXN -> Int);
    commitCell,
    \* @type: TXN -> Int;
    commitTable,
    \* @type: Int;
    watermark,
    \* @type: Set(<<KEY, TXN>>);
    inspected,
    \* @type: Set(<<KEY, TXN>>);
    latePuts,
    \* @type: Set(TXN);
    lateEntries,
    \* @type: Set(TXN);
    committed,
    \* @type: TXN -> Set({ key: KEY, from: TXN, own: Bool });
    reads,
    \* @type: TXN -> Set(TXN);
    precedes,
    \* @type: Int;
    faults

INSTANCE OmidLL
=============================================================================
