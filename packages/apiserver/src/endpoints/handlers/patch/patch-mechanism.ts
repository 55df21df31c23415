import type { FieldValidation, KubeObject } from '@kubechain/apimachinery';
import type { RequestContext } from '../../../request/request-context.ts';
import type { Turns } from '../../../request/turns.ts';

/** Makes the patched object; called again for each attempt to store it. */
export interface PatchMechanism {
  /** `current` is in memory version and must not be changed; the result is a private object in memory version. */
  applyTo(current: KubeObject): Promise<KubeObject>;
  /** For an object that does not exist. @throws StatusError NotFound where the patch cannot create */
  createNew(): Promise<KubeObject>;
}

/** What all mechanisms need to know of their request. */
export interface PatchRequest {
  readonly context: RequestContext;
  readonly body: Uint8Array;
  readonly turns: Turns;
  readonly name: string;
  readonly fieldValidation: FieldValidation;
  /** Manager for managedFields. */
  readonly manager: string;
  readonly force: boolean;
}
