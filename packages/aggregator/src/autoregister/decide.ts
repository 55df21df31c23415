import { isDeepStrictEqual } from 'node:util';
import { autoManagedLabel, type APIService } from '../apiservice/api-service.ts';

/** An APIService as it is and as it should be. */
export interface RegistrationState {
  readonly current: APIService | undefined;
  /** Undefined: nobody serves the group version. */
  readonly desired: APIService | undefined;
  /** It has been brought in line once since this process began. */
  readonly synced: boolean;
  /** It was there when this process began. */
  readonly atStart: boolean;
}

export type RegistrationAction =
  | { readonly kind: 'none' }
  | { readonly kind: 'create'; readonly desired: APIService }
  | { readonly kind: 'update'; readonly desired: APIService }
  | { readonly kind: 'delete'; readonly uid: string | undefined };

const none: RegistrationAction = { kind: 'none' };

/**
 * What to do about one APIService (kube-aggregator's autoregister_controller.go checkAPIService, 1.36). Those labelled
 * `onstart` are brought in line once and are their user's afterwards; those labelled `true` always; others never.
 */
export function decide({ current, desired, synced, atStart }: RegistrationState): RegistrationAction {
  if (managed(desired) === 'onstart' && synced) return none;
  if (current === undefined) return desired === undefined ? none : { kind: 'create', desired };
  switch (managed(current)) {
    case 'onstart':
      if (!atStart || synced) return none;
      break;
    case 'true':
      break;
    default:
      return none;
  }
  if (desired === undefined) return { kind: 'delete', uid: current.metadata.uid };
  return isDeepStrictEqual(current.spec, desired.spec) ? none : { kind: 'update', desired };
}

function managed(service: APIService | undefined): string | undefined {
  return service?.metadata.labels?.[autoManagedLabel];
}
