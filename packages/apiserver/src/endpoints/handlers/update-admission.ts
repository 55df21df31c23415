import type { KubeObject } from '@kubechain/apimachinery';
import type { ValidatedUpdateOptions } from '../../registry/rest/storage.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { Turns } from '../../request/turns.ts';
import { admit, validatingHook } from './admit.ts';
import type { AttributesOptions } from './admission-attributes.ts';
import { withCreateAuthorization } from './create-authorization.ts';
import { writeOptionsObject } from './parameters/write-options.ts';
import type { RequestScope } from './request-scope.ts';

/** The request that is admitted. */
export interface AdmittedUpdate {
  /** In the path. */
  readonly name: string;
  readonly dryRun: boolean;
  readonly turns: Turns;
}

/**
 * Admission of a request that updates an object or, where there is none, creates it: which of both is known once the
 * registry has looked (handlers/update.go, handlers/patch.go).
 */
export class UpdateAdmission {
  readonly #scope: RequestScope;
  readonly #context: RequestContext;
  readonly #turns: Turns;
  readonly #create: AttributesOptions;
  readonly #update: AttributesOptions;

  constructor(scope: RequestScope, context: RequestContext, { name, dryRun, turns }: AdmittedUpdate) {
    this.#scope = scope;
    this.#context = context;
    this.#turns = turns;
    const { namespace } = context.requestInfo;
    const { empty } = scope.admission;
    const common = { namespace, name, object: undefined, oldObject: undefined, dryRun, turns };
    this.#create = {
      ...common,
      operation: 'CREATE',
      options: empty ? undefined : writeOptionsObject('CreateOptions', context.query),
    };
    this.#update = {
      ...common,
      operation: 'UPDATE',
      options: empty ? undefined : writeOptionsObject('UpdateOptions', context.query),
    };
  }

  /**
   * Mutating admission.
   * @param old the stored object; undefined: the request creates
   * @throws StatusError of the plugin that refused
   */
  admit(object: KubeObject, old: KubeObject | undefined): Promise<KubeObject> {
    return admit(
      this.#scope,
      this.#context,
      old === undefined ? { ...this.#create, object } : { ...this.#update, object, oldObject: old },
    );
  }

  /** Validating admission, and the right to create, for the registry to ask on the complete object. */
  get hooks(): Pick<ValidatedUpdateOptions, 'validateCreate' | 'validateUpdate'> {
    return {
      validateCreate: this.#turns.around(
        withCreateAuthorization(this.#scope, this.#context, validatingHook(this.#scope, this.#context, this.#create)),
      ),
      validateUpdate: this.#turns.around(validatingHook(this.#scope, this.#context, this.#update)),
    };
  }
}

/** Whether the registry has found an object: what it hands on for none has no uid. */
export function isStored({ metadata }: KubeObject): boolean {
  return (metadata?.uid ?? '') !== '';
}
