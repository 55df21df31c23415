/**
 * Entry point `@kubechain/apiserver/resources`: for those who write resources, their strategies, storages, columns and
 * registries, and admission plugins.
 */
export { admissionForbidden } from './admission/admission-error.ts';
export type {
  AdmissionAttributes,
  AdmissionChain,
  AdmissionOperation,
  AdmissionPlugin,
} from './admission/admission.ts';
export { beginWithExpressions } from './admission/cel/begin-with-expressions.ts';
export { Composition } from './admission/cel/composition.ts';
export { compileAdmissionExpression, resultTypes } from './admission/cel/expression.ts';
export type { CompileOptions, Expression } from './admission/cel/expression.ts';
export type { OptionalVariables } from './admission/cel/variables.ts';
export { PluginConfigurations, configurationError } from './admission/configuration/plugin-configurations.ts';
export {
  defaultAdmissionPolicy,
  defaultAdmissionPolicyBinding,
  defaultAlphaPolicyBinding,
  defaultMutatingWebhookConfiguration,
  defaultValidatingWebhookConfiguration,
} from './admission/manifests/defaults.ts';
export type { ManifestRules } from './admission/manifests/manifest-objects.ts';
export { namespaceOf } from './admission/namespace-of.ts';
export { KeptAnswers } from './rest-client/kept-answers.ts';
export { KubeClient, webhookTimeoutMs } from './rest-client/kube-client.ts';
export { withRetries } from './rest-client/with-retries.ts';
export type { NamespaceLister } from './admission/namespace-lister.ts';
export { plainObjects } from './admission/plain-objects.ts';
export { Reinvocation } from './admission/reinvocation.ts';
export type { TokenAuthenticator } from './authentication/authenticator.ts';
export { authorizationAttributes } from './authorization/attributes.ts';
export type { AuthorizationAttributes, Authorizer, RuleResolver } from './authorization/authorizer.ts';
export { forbiddenError } from './authorization/forbidden.ts';
export { nodeNameOf } from './authorization/node/node-identity.ts';
export { bootstrapPolicy } from './authorization/rbac/bootstrap/bootstrap-policy.ts';
export { withGatedRoles } from './authorization/rbac/bootstrap/gated-roles.ts';
export { ensureBootstrapPolicy } from './authorization/rbac/bootstrap/ensure-policy.ts';
export { escalationAllowed } from './authorization/rbac/escalation.ts';
export { guardBindings, guardRoles } from './authorization/rbac/guarded-storage.ts';
export type { RoleStorages } from './authorization/rbac/role-feeds.ts';
export type { APIResource } from './endpoints/discovery/api-resource.ts';
export { deleteParameters } from './endpoints/handlers/parameters/delete-options.ts';
export type { APIGroupInfo } from './endpoints/installer/api-group-info.ts';
export { storageFactsOf } from './endpoints/installer/storage-facts.ts';
export type { StorageFacts } from './endpoints/installer/storage-facts.ts';
export { CommonPart } from './process/commons.ts';
export type { Commons } from './process/commons.ts';
export { APIInstaller } from './endpoints/installer/api-installer.ts';
export type { LazyResource } from './endpoints/installer/lazy-resource.ts';
export { storageVersionHash } from './endpoints/installer/api-resource-of.ts';
export type { CustomResourceOpenAPI } from './endpoints/installer/custom-resource-open-api.ts';
export type { InstalledResource } from './endpoints/installer/installed-resource.ts';
export type { ResourceRoute, ResourceRoutes } from './endpoints/route.ts';
export {
  autoUpdateAnnotation,
  defaultFlowSchemas,
  defaultPriorityLevels,
  mandatoryNames,
} from './flowcontrol/bootstrap-configuration.ts';
export type { DefaultConfiguration } from './flowcontrol/bootstrap-configuration.ts';
export { queuingOf } from './flowcontrol/queuing.ts';
export { ObjectInformer } from './informers/object-informer.ts';
export type { InformerChange } from './informers/object-informer.ts';
export type { ResourceStorage } from './informers/resource-storage.ts';
export type { FieldManager } from './registry/fieldmanager/field-manager.ts';
export { createFieldManager } from './registry/fieldmanager/managed-fields.ts';
export { mostBytesHere, mostValuesHere, mostYAMLBytesHere } from './request/side-server.ts';
export { Stepwise, type Steps } from './request/stepwise.ts';
export { Turns } from './request/turns.ts';
export { OwnWrites } from './registry/fieldmanager/own-writes.ts';
export { builtinResourceSpec } from './registry/generic/builtin-resource-spec.ts';
export type { BuiltinResource } from './registry/generic/builtin-resource-spec.ts';
export { createResource } from './registry/generic/create-resource.ts';
export { resourceCodec } from './registry/generic/resource-codec.ts';
export type { StorageMediaType } from './registry/generic/resource-codec.ts';
export type { FieldReader, ResourceSpec, StoredCompletion } from './registry/generic/resource-spec.ts';
export { dryRunUpdate } from './registry/generic/dry-run.ts';
export { EndpointLeases } from './registry/generic/endpoint-leases.ts';
export { createScaleStorage } from './registry/generic/scale-storage.ts';
export type { ScaleAccess } from './registry/generic/scale-storage.ts';
export { createStatusStorage, subresourceStrategy } from './registry/generic/status-storage.ts';
export type { CreatesBy } from './registry/generic/status-storage.ts';
export { storageWithoutDeletes } from './registry/generic/storage-without-deletes.ts';
export type { StoreEnvironment } from './registry/generic/store-environment.ts';
export type { StoreHooks } from './registry/generic/store-hooks.ts';
export { Store } from './registry/generic/store.ts';
export type { Strategy } from './registry/generic/strategy.ts';
export { copyObject } from './registry/rest/copy-object.ts';
export { internalContext } from './registry/rest/internal-context.ts';
export { overriding } from './registry/rest/overriding.ts';
export { isRecord } from './registry/rest/result.ts';
export { everything, selectionPredicate } from './registry/rest/selection-predicate.ts';
export type {
  ConnectExchange,
  CreateOptions,
  DeleteOptions,
  RESTContext,
  RESTResult,
  RESTStorage,
  ValidateObject,
} from './registry/rest/storage.ts';
export { refuseUnmetPreconditions } from './registry/rest/unmet-precondition.ts';
export { interpretStorageError } from './registry/storage-errors.ts';
export type { UserInfo } from './request/user-info.ts';
export { AgeCell, ageSince, timeAround } from './table/age-cell.ts';
export { createdDescription, defaultTable, nameDescription } from './table/default-table.ts';
export { humanDuration } from './table/human-duration.ts';
export type {
  PrintedRow,
  TableCell,
  TableColumnDefinition,
  TableConvertor,
  TableRowCondition,
} from './table/table-convertor.ts';
export { callFailureOf } from './webhook/call-failure.ts';
export type { CallFailure } from './webhook/call-failure.ts';
export { webhookSchemeName } from './webhook/scheme-name.ts';
export { validateWebhookTarget } from './webhook/validate-target.ts';
export { WebhookClient } from './webhook/webhook-client.ts';
export { WebhookServices } from './webhook/webhook-services.ts';
