import {
  applyJSONPatch,
  applyMergePatch,
  badRequest,
  decodeJSONPatch,
  decodeMergePatch,
  isFormatError,
  jsonPatchedText,
  mergePatchedText,
  parseJSONValue,
  refuseManyValues,
  unknownJSONPatchMembers,
} from '@kubechain/apimachinery';
import type { JSONObject, JSONValue, KubeObject } from '@kubechain/apimachinery';
import type { RequestScope } from '../request-scope.ts';
import { nothingToPatch, objectFromDocument, servedDocument } from './document.ts';
import type { PatchMechanism, PatchRequest } from './patch-mechanism.ts';

interface Patched {
  readonly result: JSONValue;
  readonly strictErrors: readonly string[];
  /** The result as errors quote it. */
  readonly quoted: () => string;
}

/** JSON patches (RFC 6902) and JSON merge patches (RFC 7386) (jsonPatcher of handlers/patch.go). */
export class JSONPatchMechanism implements PatchMechanism {
  readonly #scope: RequestScope;
  readonly #request: PatchRequest;
  readonly #merge: boolean;

  constructor(scope: RequestScope, request: PatchRequest, merge: boolean) {
    this.#scope = scope;
    this.#request = request;
    this.#merge = merge;
  }

  async applyTo(current: KubeObject): Promise<KubeObject> {
    const document = await servedDocument(this.#scope, current);
    const { turns } = this.#request;
    await turns.next();
    const { quoted, result, strictErrors } = this.#merge ? this.#mergePatched(document) : this.#patched(document);
    await turns.next();
    const object = await objectFromDocument(this.#scope, this.#request, { document: result, strictErrors, quoted });
    await turns.next();
    return this.#scope.fieldManager === undefined
      ? object
      : this.#scope.fieldManager.update(current, object, this.#request.manager);
  }

  createNew(): Promise<KubeObject> {
    return Promise.reject(nothingToPatch(this.#scope, this.#request.name));
  }

  get #checksFields(): boolean {
    return this.#request.fieldValidation !== 'Ignore';
  }

  #patched(document: JSONValue): Patched {
    const { strictErrors, value } = this.#parse('');
    const patch = decodeJSONPatch(value, { typed: this.#checksFields });
    const errors = this.#checksFields
      ? [...strictErrors.map((error) => `json patch ${error}`), ...unknownJSONPatchMembers(patch)]
      : [];
    return {
      result: applyJSONPatch(document, patch, this.#scope.kindInfo.schema),
      strictErrors: errors,
      quoted: () => jsonPatchedText(document, patch),
    };
  }

  #mergePatched(document: JSONObject): Patched {
    const { strictErrors, value } = this.#parse('Invalid JSON Patch');
    const patch = decodeMergePatch(value, { typed: this.#checksFields });
    return {
      result: applyMergePatch(document, patch, this.#scope.kindInfo.schema),
      strictErrors: this.#checksFields ? strictErrors : [],
      quoted: () => mergePatchedText(document, patch),
    };
  }

  /** `unchecked`: the answer to malformed JSON where fields are not validated; '' for the parser's own. */
  #parse(unchecked: string): ReturnType<typeof parseJSONValue> {
    refuseManyValues(this.#request.body);
    try {
      return parseJSONValue(this.#request.body);
    } catch (error) {
      if (!isFormatError(error)) throw error;
      throw badRequest(
        this.#checksFields ? `error decoding patch: ${error.message}` : unchecked === '' ? error.message : unchecked,
      );
    }
  }
}
