import { badRequest, isDecodeError, readYAML } from '@kubechain/apimachinery';
import { applyPatchType } from './patch-types.ts';

/**
 * Since 1.37 a patch must be JSON, or YAML where it is applied, before anything else is said of it
 * (validateAndTranscodePatch of handlers/patch.go). @throws StatusError BadRequest
 */
export async function checkPatchText(body: Uint8Array, patchType: string): Promise<void> {
  if (patchType !== applyPatchType) {
    if (!isJSON(body)) throw badRequest('invalid JSON patch');
    return;
  }
  // What begins as JSON does is not looked at here.
  if (/^\s*\{/.test(textOf(body.subarray(0, 1024)))) return;
  try {
    await readYAML(body);
  } catch (error) {
    throw isDecodeError(error) ? badRequest(`error encoding patch: ${error.message}`) : error;
  }
}

function isJSON(body: Uint8Array): boolean {
  try {
    JSON.parse(textOf(body));
    return true;
  } catch {
    return false;
  }
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}
