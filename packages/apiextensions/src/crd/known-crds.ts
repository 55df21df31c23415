import type { ObjectRecord } from '@kubechain/shared-storage';
import type { CustomResourceDefinition } from './crd-types.ts';
import { leanCRD } from './lean-crd.ts';

/** A CRD as the server keeps it: lean, with the record that the rest can be read from again. */
interface KnownCRD { readonly crd: CustomResourceDefinition; readonly record: ObjectRecord }

/**
 * The newest states of CRDs that have been seen, by name. Records are those of the watch cache once its event has come, so
 * that they cost nothing more.
 */
export class KnownCRDs {
  readonly #known = new Map<string, KnownCRD>();

  get(name: string): CustomResourceDefinition | undefined { return this.#known.get(name)?.crd; }

  /** The CRD with all its words, decoded anew; may be newer than what {@link get} returned a moment ago. */
  read(name: string): CustomResourceDefinition | undefined { return this.#known.get(name)?.record.object() as CustomResourceDefinition | undefined; }

  *entries(): Generator<readonly [name: string, crd: CustomResourceDefinition]> { for (const [name, { crd }] of this.#known) yield [name, crd]; }

  /**
   * Takes a state in; undefined when it is known, or older than what is. `whole` has all words, and should not be kept.
   * @param cached the record is the watch cache's
   */
  set(record: ObjectRecord, cached: boolean): { readonly name: string; readonly before: CustomResourceDefinition | undefined; readonly crd: CustomResourceDefinition; readonly whole: CustomResourceDefinition } | undefined {
    const { name } = record.attributes;
    const known = this.#known.get(name);
    if (known !== undefined && known.record.revision >= record.revision) {
      if (cached && known.record.revision === record.revision) this.#known.set(name, { ...known, record });
      return undefined;
    }
    const whole = record.object() as CustomResourceDefinition;
    const crd = leanCRD(whole, known?.crd);
    this.#known.set(name, { crd, record });
    return { name, before: known?.crd, crd, whole };
  }

  /** Forgets a CRD if it is the one with that uid; returns it. */
  delete(name: string, uid: string | undefined): CustomResourceDefinition | undefined {
    const crd = this.#known.get(name)?.crd;
    if (crd?.metadata.uid !== uid) return undefined;
    this.#known.delete(name);
    return crd;
  }
}
