import { forbidden } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionChain, AdmissionOperation } from '@kubechain/apiserver/resources';

/**
 * Admission that lets nobody create while `isTerminating`, before anybody else is asked (customresource_handler.go
 * forbidCreateAdmission, 1.36).
 */
export class ForbidCreate implements AdmissionChain {
  readonly #chain: AdmissionChain;
  readonly #isTerminating: () => boolean;

  constructor(chain: AdmissionChain, isTerminating: () => boolean) {
    this.#chain = chain;
    this.#isTerminating = isTerminating;
  }

  get empty(): boolean {
    return this.#chain.empty && !this.#isTerminating();
  }

  handles(operation: AdmissionOperation): boolean {
    return this.#refuses(operation) || this.#chain.handles(operation);
  }

  /** @throws StatusError Forbidden */
  admit(attributes: AdmissionAttributes): void | Promise<void> {
    this.#check(attributes);
    return this.#chain.admit(attributes);
  }

  /** @throws StatusError Forbidden */
  validate(attributes: AdmissionAttributes): void | Promise<void> {
    this.#check(attributes);
    return this.#chain.validate(attributes);
  }

  #refuses(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' && this.#isTerminating();
  }

  #check({ name, operation, resource }: AdmissionAttributes): void {
    if (this.#refuses(operation))
      throw forbidden(
        { group: resource.group, resource: resource.resource },
        name,
        'create not allowed while custom resource definition is terminating',
      );
  }
}
