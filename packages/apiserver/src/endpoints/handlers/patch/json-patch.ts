import {
  applyJSONPatch,
  applyMergePatch,
  badRequest,
  dataText,
  decodeJSONPatch,
  decodeMergePatch,
  hasUnknownMembers,
  isFormatError,
  jsonPatchedText,
  jsonPatchFieldErrors,
  mergePatchedText,
  NumberTexts,
  parseJSONValue,
  refuseManyValues,
  withoutNulls,
} from '@kubechain/apimachinery';
import type { JSONObject, JSONValue, KubeObject, ParsedValue } from '@kubechain/apimachinery';
import type { RequestScope } from '../request-scope.ts';
import { nothingToPatch, objectFromDocument, servedDocument } from './document.ts';
import { isNumberAlone, isOutOfRange } from './number-alone.ts';
import type { PatchMechanism, PatchRequest } from './patch-mechanism.ts';

interface Patched {
  readonly result: JSONValue;
  readonly strictErrors: readonly string[];
  readonly numbers: NumberTexts | undefined;
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
    const { result, ...patched } = this.#merge ? this.#mergePatched(document) : await this.#patched(document);
    await turns.next();
    const object = await objectFromDocument(this.#scope, this.#request, { document: result, ...patched });
    await turns.next();
    const { fieldManager } = this.#scope;
    if (fieldManager === undefined) return object;
    return this.#isForeign(object)
      ? withoutOwners(object)
      : fieldManager.update(current, object, this.#request.manager);
  }

  /** A custom object that the patch makes one of another kind or group, of whose fields nothing is known. */
  #isForeign({ apiVersion = '', kind }: KubeObject): boolean {
    const { custom, kind: served } = this.#scope;
    if (!custom) return false;
    return kind !== served.kind || apiVersion.split('/', 1)[0] !== served.group || !apiVersion.includes('/');
  }

  createNew(): Promise<KubeObject> {
    return Promise.reject(nothingToPatch(this.#scope, this.#request.name));
  }

  get #checksFields(): boolean {
    return this.#request.fieldValidation !== 'Ignore';
  }

  async #patched(document: JSONObject): Promise<Patched> {
    const { numbers, strictErrors, value } = this.#parse('');
    const patch = decodeJSONPatch(value, { typed: this.#checksFields });
    const isDoubtful = this.#checksFields && (strictErrors.length > 0 || hasUnknownMembers(patch));
    return {
      result: applyJSONPatch(document, patch, this.#scope.kindInfo.schema),
      strictErrors: isDoubtful ? await this.#operationErrors() : [],
      numbers,
      quoted: () => asWritten(jsonPatchedText(document, patch), numbers),
    };
  }

  async #operationErrors(): Promise<readonly string[]> {
    await this.#request.turns.next();
    return jsonPatchFieldErrors(this.#request.body);
  }

  #mergePatched(document: JSONObject): Patched {
    const { numbers, strictErrors, value } = this.#parse('Invalid JSON Patch');
    if (Array.isArray(value) && !this.#checksFields) return listInPlace(value, numbers);
    const patch = decodeMergePatch(value, { typed: this.#checksFields });
    return {
      result: applyMergePatch(document, patch, this.#scope.kindInfo.schema),
      strictErrors: this.#checksFields ? strictErrors : [],
      numbers,
      quoted: () => this.#quotedMerge(document, patch),
    };
  }

  /** The reference's library keeps values of a patch as they were written. */
  #quotedMerge(document: JSONObject, patch: JSONObject): string {
    const values = NumberTexts.ofValues(this.#request.body);
    if (values === undefined) return mergePatchedText(document, patch);
    const written = decodeMergePatch(parseJSONValue(values.patch).value);
    return values.restore(mergePatchedText(document, written));
  }

  /** `unchecked`: the answer to malformed JSON where fields are not validated; '' for the parser's own. */
  #parse(unchecked: string): ParsedValue & Pick<Patched, 'numbers'> {
    const { body } = this.#request;
    refuseManyValues(body);
    try {
      const parsed = parseJSONValue(body);
      const texts = NumberTexts.of(body);
      // A number by itself is no patch, however it is written.
      if (texts === undefined || typeof parsed.value === 'number') return { ...parsed, numbers: undefined };
      return { ...parsed, value: parseJSONValue(texts.patch).value, numbers: texts };
    } catch (error) {
      if (!isFormatError(error)) throw error;
      const outOfRange = isOutOfRange(error);
      if (outOfRange && isNumberAlone(body)) return { value: 0, strictErrors: [], numbers: undefined };
      if (this.#checksFields) throw badRequest(`error decoding patch: ${error.message}`);
      // Who does not look at the fields of a patch does not read its numbers either.
      const texts = outOfRange ? NumberTexts.of(body) : undefined;
      if (texts !== undefined) return { ...parseJSONValue(texts.patch), numbers: texts };
      throw badRequest(unchecked === '' ? error.message : unchecked);
    }
  }
}

/** What the reference does where it cannot tell who owns what. */
function withoutOwners(object: KubeObject): KubeObject {
  if (object.metadata === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The reference's library takes a list, which is no merge patch, for what the document becomes. */
function listInPlace(list: readonly JSONValue[], numbers: NumberTexts | undefined): Patched {
  const result = withoutNulls([...list]);
  return { result, strictErrors: [], numbers, quoted: () => asWritten(dataText(result), numbers) };
}

function asWritten(json: string, numbers: NumberTexts | undefined): string {
  return numbers === undefined ? json : numbers.restore(json);
}
