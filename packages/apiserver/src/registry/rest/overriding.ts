import type { RESTStorage } from './storage.ts';

/**
 * The storage itself with some methods of its own replaced. Everything else, also what storages learn later, is passed
 * through.
 */
export function overriding<S extends RESTStorage>(
  storage: S,
  methods: Pick<RESTStorage, 'create' | 'update' | 'delete'>,
): S {
  const bound = new Map<PropertyKey, unknown>(Object.entries(methods));
  return new Proxy(storage, {
    get(target, key) {
      if (bound.has(key)) return bound.get(key);
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      // Private members of the storage must see the storage, not the proxy.
      const method: unknown = value.bind(target);
      bound.set(key, method);
      return method;
    },
  });
}
