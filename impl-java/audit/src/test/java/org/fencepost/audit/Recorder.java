package org.fencepost.audit;

import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.Collector;
import org.fencepost.protocol.CommitTable;
import org.fencepost.protocol.NdjsonTracer;
import org.fencepost.protocol.OmidLL;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Record;
import org.fencepost.protocol.StoreException;
import org.fencepost.protocol.Tracer;
import org.fencepost.protocol.Transaction;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionManager;
import org.fencepost.protocol.TransactionManagerCore;
import org.fencepost.protocol.TransactionManagerException;
import org.fencepost.protocol.VersionedStore;
import org.fencepost.protocol.Write;
import org.fencepost.protocol.memory.InMemoryCommitTable;
import org.fencepost.protocol.memory.InMemoryStore;
import org.fencepost.protocol.memory.LocalTransactionManager;

/**
 * Records traces of the protocol's own classes: some clients and a collector, of which exactly one moves at a time. Each call of an
 * interface is a point where a seeded choice lets another go on; the call's effect and its event then follow in one step. With faults,
 * requests and answers are lost, puts and commit entries arrive late or twice, and clients die. A seed gives the same trace every time.
 */
final class Recorder {
  private static final long LIFETIME = 2_000;

  /** The client is gone; nothing of the protocol catches this. */
  private static final class Death extends Error {
    private static final long serialVersionUID = 1;
  }

  private final Random random;
  private final boolean faults;
  private final List<Actor> actors = new ArrayList<>();
  private final Semaphore allDone = new Semaphore(0);
  private final Deque<Runnable> late = new ArrayDeque<>();
  private final StringWriter text = new StringWriter();
  private final Tracer tracer;
  private final List<String> keys;
  private final InMemoryStore<String, String> memory = new InMemoryStore<>();
  private final InMemoryCommitTable table = new InMemoryCommitTable();
  private long nanos;
  private int clientsLeft;
  private final Clock clock = new Clock() {
    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void sleep(long duration) {
      nanos += duration;
    }
  };

  private Recorder(long seed, int keys, boolean faults) {
    this.random = new Random(seed);
    this.faults = faults;
    this.keys = List.of("a", "b", "c", "d").subList(0, keys);
    this.tracer = new NdjsonTracer(text, "seed", seed, "faults", faults);
  }

  /** The text of one trace. */
  static String record(long seed, int clients, int transactions, int keys, boolean faults) {
    return new Recorder(seed, keys, faults).run(clients, transactions);
  }

  private String run(int clients, int transactions) {
    VersionedStore<String, String> store = perKey(wrap(VersionedStore.class, memory));
    CommitTable commitTable = wrap(CommitTable.class, table);
    TransactionManager manager = wrap(TransactionManager.class, new LocalTransactionManager(new TransactionManagerCore(
        new TransactionManagerCore.Settings(1, 1024, LIFETIME * 2, 1024), 0, Long.MAX_VALUE, 0, 0, tracer), clock));
    OmidLL<String, String> ll = new OmidLL<>(store, commitTable, manager, clock, String::hashCode,
        new OmidLL.Settings(LIFETIME, 0, 2, random.nextBoolean()), tracer);
    clientsLeft = clients;
    for (int i = 0; i < clients; i++) {
      actors.add(new Actor(() -> {
        for (int n = 0; n < transactions / clients; n++) {
          transact(ll);
        }
        clientsLeft--;
      }));
    }
    actors.add(new Actor(() -> collect(new Collector<>(store, commitTable, manager, tracer), manager)));
    actors.forEach(Thread::start);
    actors.get(0).turn.release();
    allDone.acquireUninterruptibly();
    for (Actor actor : actors) {
      if (actor.failure != null) {
        throw new AssertionError("an actor failed", actor.failure);
      }
    }
    tracer.close();
    return text.toString();
  }

  // ---- what actors do

  private void transact(OmidLL<String, String> ll) {
    try {
      Transaction<String, String> tx = ll.begin();
      try {
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
          operate(ll, tx);
        }
        if (random.nextInt(10) == 0) {
          ll.rollback(tx);
          return;
        }
        Runnable postCommit = ll.commit(tx);
        if (random.nextInt(8) > 0) {
          postCommit.run();
        }
      } catch (OutcomeUnknownException e) {
        ll.resolve(e.startTs(), e.commitTs());
      } catch (StoreException e) {
        if (tx.status() == Transaction.Status.ACTIVE) {
          ll.rollback(tx);
        }
      }
    } catch (TransactionException | Death e) {
      // the next one
    }
  }

  private void operate(OmidLL<String, String> ll, Transaction<String, String> tx) {
    String key = keys.get(random.nextInt(keys.size()));
    if (random.nextBoolean() || tx.writeSet().contains(key)) {
      ll.read(tx, key);
      return;
    }
    ll.buffer(tx, key, random.nextInt(4) == 0 ? Write.tombstone() : Write.of("by " + tx.startTs()));
    if (random.nextBoolean()) {
      try {
        ll.write(tx);
      } catch (StoreException e) {
        ll.write(tx); // once more
      }
    }
  }

  /** No copy of a put may be under way below the watermark, so it waits until what was late when it got the watermark has arrived. */
  private void collect(Collector<String, String> collector, TransactionManager manager) {
    while (clientsLeft > 0) {
      for (int i = random.nextInt(60); i > 0 && clientsLeft > 0; i--) {
        pause();
      }
      try {
        if (faults) {
          nanos += random.nextInt(4) == 0 ? LIFETIME * 3 / 2 : 0;
        }
        long watermark = manager.collectableBelow();
        while (!late.isEmpty()) {
          late.removeFirst().run();
        }
        collector.collect(keys, watermark);
      } catch (TransactionException | Death e) {
        // begin another
      }
    }
  }

  // ---- calls

  @SuppressWarnings("unchecked")
  private <T> T wrap(Class<? super T> type, T target) {
    return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
        (proxy, method, arguments) -> call(method, () -> invoke(target, method, arguments)));
  }

  private Object call(Method method, Supplier<Object> effect) {
    pause();
    if (!late.isEmpty() && random.nextInt(6) == 0) {
      late.removeFirst().run();
      pause();
    }
    boolean manager = method.getDeclaringClass() == TransactionManager.class;
    boolean writes = method.getName().equals("put") || method.getName().equals("checkAndMutate");
    int dice = faults && Thread.currentThread() != actors.get(actors.size() - 1) ? random.nextInt(300) : 300;
    if (dice < 3) {
      if (random.nextBoolean()) {
        effect.get();
      }
      throw new Death();
    } else if (dice < 9 && !method.getName().equals("commit")) {
      if (random.nextBoolean() && !method.getName().equals("begin")) {
        effect.get();
      }
      throw manager ? new TransactionManagerException("lost") : new StoreException("lost");
    } else if (dice < 12 && method.getName().equals("commit")) {
      if (random.nextBoolean()) {
        effect.get();
      }
      throw new TransactionManagerException("lost");
    } else if (dice < 22 && writes) {
      late.add(effect::get);
      throw new StoreException("late");
    } else if (dice < 32 && method.getName().equals("put")) {
      late.add(effect::get);
    }
    return effect.get();
  }

  private static Object invoke(Object target, Method method, Object[] arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw (RuntimeException) e.getCause();
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** Requests for several keys are several requests; the records of a key are fetched one by one. */
  private VersionedStore<String, String> perKey(VersionedStore<String, String> store) {
    return new VersionedStore<>() {
      @Override
      public void put(long version, Map<String, Write<String>> writes) {
        new LinkedHashMap<>(writes).forEach((key, write) -> store.put(version, Map.of(key, write)));
      }

      @Override
      public Iterator<Record<String>> get(String key, long fromVersion) {
        Iterator<Record<String>> records = store.get(key, fromVersion);
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            pause();
            return records.hasNext();
          }

          @Override
          public Record<String> next() {
            return records.next();
          }
        };
      }

      @Override
      public Record<String> reread(String key, long version) {
        return store.reread(key, version);
      }

      @Override
      public void putCommitCells(Collection<String> keys, long version, long commitTs) {
        keys.forEach(key -> store.putCommitCells(List.of(key), version, commitTs));
      }

      @Override
      public void remove(Collection<String> keys, long version) {
        keys.forEach(key -> store.remove(List.of(key), version));
      }
    };
  }

  // ---- turns

  private void pause() {
    nanos++;
    if (Thread.currentThread() instanceof Actor actor) {
      Actor next = next();
      if (next != actor) {
        next.turn.release();
        actor.turn.acquireUninterruptibly();
      }
    }
  }

  private Actor next() {
    List<Actor> able = actors.stream().filter(actor -> !actor.done).toList();
    return able.isEmpty() ? null : able.get(random.nextInt(able.size()));
  }

  private final class Actor extends Thread {
    private final Semaphore turn = new Semaphore(0);
    private final Runnable body;
    private boolean done;
    private Throwable failure;

    Actor(Runnable body) {
      this.body = body;
      setDaemon(true);
    }

    @Override
    public void run() {
      turn.acquireUninterruptibly();
      try {
        body.run();
      } catch (Throwable e) {
        failure = e;
        clientsLeft--;
      }
      done = true;
      Actor next = next();
      (next == null ? allDone : next.turn).release();
    }
  }
}
