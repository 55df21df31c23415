import type { AdmissionAttributes, Authorizer } from '@kubechain/apiserver/resources';
import type { ObjectLookup } from '../object-lookup.ts';

/** Objects that decide what a node may do, and who answers for the rest. */
export interface NodeRestrictionOptions {
  readonly pods: ObjectLookup;
  readonly nodes: ObjectLookup;
  readonly claims: ObjectLookup;
  readonly volumes: ObjectLookup;
  readonly drivers: ObjectLookup;
  readonly serviceAccounts: ObjectLookup;
  /** The feature gate PodCertificateRequest. */
  readonly certifiesPods: boolean;
  /** The feature gate ServiceAccountNodeAudienceRestriction. */
  readonly checksAudiences: boolean;
  readonly authorizer: Authorizer;
}

/** One write of a node. */
export interface NodeWrite {
  readonly node: string;
  readonly attributes: AdmissionAttributes;
  readonly options: NodeRestrictionOptions;
}
