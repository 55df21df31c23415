import { badRequest } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { RegistryError } from '../../../registry/registry-error.ts';
import type { RequestScope } from '../request-scope.ts';
import { addStrictWarnings } from '../strict-warnings.ts';
import type { ReadApplied } from './applied-configuration.ts';
import type { PatchMechanism, PatchRequest } from './patch-mechanism.ts';

/** Server-side apply: merges by ownership, and creates what does not exist (applyPatcher of handlers/patch.go). */
export class ApplyMechanism implements PatchMechanism {
  readonly #scope: RequestScope;
  readonly #request: PatchRequest;
  readonly #read: ReadApplied;

  constructor(scope: RequestScope, request: PatchRequest, read: ReadApplied) {
    this.#scope = scope;
    this.#request = request;
    this.#read = read;
  }

  async applyTo(current: KubeObject): Promise<KubeObject> {
    const { body, context, fieldValidation, force, manager, turns } = this.#request;
    const { fieldManager } = this.#scope;
    if (fieldManager === undefined) throw new RegistryError('apply needs a field manager');
    // The words of 1.37; apply patches may be other than YAML since then.
    const form = this.#scope.release.since('1.37') ? 'patch' : 'YAML';
    const { configuration, duplicates } = await this.#read(body, form);
    await turns.next();
    const object = await fieldManager.apply(current, configuration, { manager, force, pause: () => turns.next() });
    if (duplicates !== undefined) {
      const text = `error converting YAML to JSON: ${duplicates}`;
      if (fieldValidation === 'Strict') throw badRequest(`error strict decoding ${form}: ${text}`);
      if (fieldValidation === 'Warn') addStrictWarnings(context, [text]);
    }
    return object;
  }

  createNew(): Promise<KubeObject> {
    return this.applyTo({ apiVersion: this.#scope.apiVersion, kind: this.#scope.kind.kind });
  }
}
