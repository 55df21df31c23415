import type { GroupVersionKind, KubeObject } from '../object/object.ts';

/** Sets defaults in place that a schema cannot express (they depend on other fields). Must not throw. */
export type DefaultingFunction = (object: KubeObject) => void;

/** Runs after the defaults of the kind's schema, in order of registration. */
export interface Defaulter {
  readonly gvk: GroupVersionKind;
  readonly apply: DefaultingFunction;
}
