package org.fencepost.protocol.omid;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.VersionedStore;

/**
 * Puts a hook around every call of an interface. Every test of races, faults and deaths is a hook; the main code knows
 * nothing of them.
 */
public final class Interposed {

    /** A call that has not been made yet. */
    public interface Call {
        /** Interface and method, such as "CommitTable.get". */
        String name();

        Object[] arguments();

        Object proceed();

        /** The exception by which this interface tells that an answer was lost. */
        default TransactionException lost() {
            return name().startsWith("TransactionManager") ? new TransactionManagerException("lost: " + name())
                    : new StoreException("lost: " + name());
        }
    }

    /** Decides what becomes of a call; returns its answer. */
    public interface Hook {
        Hook NONE = Call::proceed;

        Object around(Call call);
    }

    private Interposed() {
    }

    /** As a request has them: a call that goes on late carries what it was made with, whatever its caller does meanwhile. */
    private static Object[] sent(Object[] arguments) {
        return arguments == null ? null : Stream.of(arguments).map(a -> a instanceof Map<?, ?> map ? new LinkedHashMap<>(map) : a).toArray();
    }

    public static <T> T wrap(Class<T> type, T target, Hook hook) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
            Object[] arguments = sent(given);
            if (method.getName().equals("versions") || method.getName().equals("batches")) { // no request: the caller's side knows
                return method.invoke(target, arguments);
            }
            Object answer = hook.around(new Call() {
                @Override
                public String name() {
                    return type.getSimpleName() + "." + method.getName();
                }

                @Override
                public Object[] arguments() {
                    return arguments;
                }

                @Override
                public Object proceed() {
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        if (e.getCause() instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) e.getCause();
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            return answer instanceof Iterator<?> iterator && type == VersionedStore.class ? wrap(Iterator.class, iterator, hook) : answer;
        }));
    }
}
