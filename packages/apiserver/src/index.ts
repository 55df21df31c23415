export type { AuthenticatedUser, RequestAuthenticator, TokenAuthenticator, UserInfo } from './authentication/authenticator.ts';
export type { AuthorizationAttributes, AuthorizationResult, Authorizer, Decision, NonResourceRule, ResourceRule, RuleResolver } from './authorization/authorizer.ts';
export type { AdmissionAttributes, AdmissionChain, AdmissionOperation, AdmissionPlugin } from './admission/admission.ts';
export type { RequestContext, RequestInfo } from './endpoints/request-context.ts';
export type { CreateOptions, DeleteOptions, GetOptions, ListOptions, RESTContext, RESTResult, RESTStorage, UpdatedObjectInfo, UpdateOptions, ValidateObject, ValidateObjectUpdate, WatchOptions } from './registry/rest/storage.ts';
export type { DelegationTarget } from './server/delegation-target.ts';
export type { APIGroupInfo } from './server/api-group-info.ts';
export type { ResourceHandler, ResourceRoute, ResourceRoutes, UpgradeHandler } from './endpoints/route.ts';
