import { isAlreadyExists } from '@kubechain/apimachinery';
import { admissionForbiddenError } from './admission-error.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './admission.ts';
import type { NamespaceLister } from './namespace-lister.ts';

export interface NamespaceAutoProvisionOptions {
  readonly namespaces: NamespaceLister;
  /** Makes a namespace with the rights of the server. @throws StatusError */
  readonly create: (name: string, signal: AbortSignal) => Promise<unknown>;
}

/** Makes the namespace of what is created in none (plugin/pkg/admission/namespace/autoprovision, 1.36). */
export class NamespaceAutoProvision implements AdmissionPlugin {
  readonly name = 'NamespaceAutoProvision';
  readonly #options: NamespaceAutoProvisionOptions;

  constructor(options: NamespaceAutoProvisionOptions) {
    this.#options = options;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { dryRun, kind, namespace, signal } = attributes;
    if (dryRun || namespace === '' || (kind.group === '' && kind.kind === 'Namespace')) return;
    if (this.#options.namespaces.get(namespace) !== undefined) return;
    try {
      await this.#options.create(namespace, signal);
    } catch (error) {
      if (!isAlreadyExists(error)) throw admissionForbiddenError(attributes, error);
    }
  }
}
