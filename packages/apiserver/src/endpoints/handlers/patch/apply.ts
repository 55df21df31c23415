import { badRequest, decodeYAML, isDecodeError } from '@kubechain/apimachinery';
import type { Decoded, KubeObject } from '@kubechain/apimachinery';
import { RegistryError } from '../../../registry/registry-error.ts';
import type { RequestScope } from '../request-scope.ts';
import { addStrictWarnings } from '../strict-warnings.ts';
import type { PatchMechanism, PatchRequest } from './patch-mechanism.ts';

/** Server-side apply: merges by ownership, and creates what does not exist (applyPatcher of handlers/patch.go). */
export class ApplyMechanism implements PatchMechanism {
  readonly #scope: RequestScope;
  readonly #request: PatchRequest;

  constructor(scope: RequestScope, request: PatchRequest) {
    this.#scope = scope;
    this.#request = request;
  }

  async applyTo(current: KubeObject): Promise<KubeObject> {
    const { body, context, fieldValidation, force, manager } = this.#request;
    const { fieldManager } = this.#scope;
    if (fieldManager === undefined) throw new RegistryError('apply needs a field manager');
    let decoded: Decoded;
    try {
      decoded = await decodeYAML(body, undefined, { strict: 'Warn' });
    } catch (error) {
      throw isDecodeError(error) ? badRequest(`error decoding YAML: ${error.message}`) : error;
    }
    const object = await fieldManager.apply(current, decoded.object, { manager, force });
    if (decoded.strictErrors.length > 0) {
      if (fieldValidation === 'Strict') throw badRequest(`error strict decoding YAML: ${decoded.strictErrors.join(', ')}`);
      if (fieldValidation === 'Warn') addStrictWarnings(context, decoded.strictErrors);
    }
    return object;
  }

  createNew(): Promise<KubeObject> {
    return this.applyTo({ apiVersion: this.#scope.apiVersion, kind: this.#scope.kind.kind });
  }
}
