import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './admission.ts';
import type { NamespaceLister } from './namespace-lister.ts';
import { namespaceOf } from './namespace-of.ts';

/** Refuses writes in namespaces that do not exist, deletions too (plugin/pkg/admission/namespace/exists, 1.36). */
export class NamespaceExists implements AdmissionPlugin {
  readonly name = 'NamespaceExists';
  readonly #namespaces: NamespaceLister;

  constructor(namespaces: NamespaceLister) {
    this.#namespaces = namespaces;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE' || operation === 'DELETE';
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    const { kind, namespace } = attributes;
    if (namespace === '' || (kind.group === '' && kind.kind === 'Namespace')) return undefined;
    return this.#namespaces.get(namespace) === undefined ? this.#lookUp(attributes) : undefined;
  }

  /** The cache may be a little late. */
  async #lookUp(attributes: AdmissionAttributes): Promise<void> {
    await namespaceOf(this.#namespaces, attributes);
  }
}
