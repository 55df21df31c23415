import {
  append,
  byteLength,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPrintable,
  required,
  textByPointer,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { hasDefault } from '../schema/json-schema-props.ts';
import { schemaHas } from '../schema/walk.ts';
import { validateColumn, validateSelectable, validateSubresources } from './columns.ts';
import { validateChoice, validateConversion } from './conversion.ts';
import { internalVersions } from './internal-form.ts';
import type { InternalSpec, InternalVersion, Subresources } from './internal-spec.ts';
import { validateNames, validateRequiredNames } from './names.ts';
import type { Allowances } from './update-allowances.ts';
import { validateVersionSchema } from './version-schema.ts';
import type { SchemaOptions } from './version-schema.ts';

/** A spec in the reference's order (validateCustomResourceDefinitionSpec, 1.36). */
export function validateSpec(spec: InternalSpec, path: FieldPath, allowances: Allowances): FieldError[] {
  const keepsUnknown = spec.preserveUnknownFields === true;
  const schemas = [spec.validation, ...spec.versions.map((version) => version.schema)];
  const some = (is: (schema: JSONSchemaProps) => boolean): boolean =>
    schemas.some((schema) => schemaHas(schema?.openAPIV3Schema, is));
  const hasDefaults = some(hasDefault);
  const options: SchemaOptions = {
    ...allowances.schema,
    requireStructural: allowances.schema.requireStructural || !keepsUnknown || hasDefaults || some(hasExtensions),
  };
  const versionsPath = path.child('versions');

  const errors = [
    ...validateGroup(spec.group, path.child('group')),
    ...validateChoice(spec.scope, path.child('scope'), ['Cluster', 'Namespaced']),
  ];
  if (spec.validation?.openAPIV3Schema === undefined) {
    spec.versions.forEach((version, i) => {
      if (version.schema?.openAPIV3Schema !== undefined) return;
      const at = versionsPath.index(i).child('schema').child('openAPIV3Schema');
      if (options.requireSchema) errors.push(required(at));
      else if (!keepsUnknown && version.served) errors.push(required(at, 'because otherwise all fields are pruned'));
    });
  }
  if (hasDefaults && spec.preserveUnknownFields !== false && spec.preserveUnknownFields !== undefined) {
    errors.push(
      invalidValue(path.child('preserveUnknownFields'), true, 'must be false in order to use defaults in the schema'),
    );
  }
  const names = spec.versions.map(({ name }) => name);
  spec.versions.forEach((version, i) => {
    const at = versionsPath.index(i);
    const messages = isDNS1035Label(version.name);
    if (messages.length > 0) errors.push(invalidValue(at.child('name'), version.name, messages.join(',')));
    append(
      errors,
      validateVersion(version, at, { subresources: subresourcesOf(spec, version.name), options, allowances }),
    );
  });
  if (new Set(names).size < names.length)
    errors.push(invalidValue(versionsPath, internalVersions(spec.versions), 'must contain unique version names'));
  if (spec.versions.filter(({ storage }) => storage).length !== 1)
    errors.push(
      invalidValue(
        versionsPath,
        internalVersions(spec.hasVersions ? spec.versions : null),
        'must have exactly one version marked as storage version',
      ),
    );
  if (spec.version !== '') {
    const messages = isDNS1035Label(spec.version);
    if (messages.length > 0) errors.push(invalidValue(path.child('version'), spec.version, messages.join(',')));
  }
  append(errors, validateRequiredNames(spec.names, path.child('names')));
  append(errors, validateNames(spec.names, path.child('names')));
  const hasStatus = [spec.subresources, ...spec.versions.map((version) => version.subresources)].some(
    (subresources) => subresources?.status !== undefined,
  );
  append(
    errors,
    validateVersionSchema(spec.validation, path.child('validation'), { hasStatus, version: spec.version, options }),
  );
  append(errors, validateSubresources(spec.subresources, path.child('subresources')));
  spec.additionalPrinterColumns.forEach((column, i) => {
    append(errors, validateColumn(column, path.child('additionalPrinterColumns').index(i)));
  });
  // Beside an empty schema that all versions share, paths are read; where each version has its own, it counts as none.
  append(
    errors,
    validateSelectable(spec.selectableFields, spec.validation && (spec.validation.openAPIV3Schema ?? {}), {
      path,
      schemaName: 'schema.openAPIV3Schema',
      missing: 'may only be set when validations.schema is included',
      allowTooMany: allowances.tooManySelectable.has(''),
    }),
  );
  const strategy = spec.conversion?.strategy ?? '';
  if (keepsUnknown && spec.conversion !== undefined && strategy !== 'None')
    errors.push(
      invalidValue(
        path.child('conversion').child('strategy'),
        strategy,
        'must be None if spec.preserveUnknownFields is true',
      ),
    );
  append(errors, validateConversion(spec.conversion, path.child('conversion'), allowances));
  return errors;
}

function validateGroup(group: string, path: FieldPath): FieldError[] {
  if (group === '') return [required(path)];
  const messages = isDNS1123Subdomain(group);
  if (messages.length > 0) return [invalidValue(path, group, messages.join(','))];
  return group.includes('.') ? [] : [invalidValue(path, group, 'should be a domain with at least one dot')];
}

function subresourcesOf(spec: InternalSpec, name: string): Subresources | undefined {
  if (spec.versions.every((version) => version.subresources === undefined)) return spec.subresources;
  return spec.versions.find((version) => version.name === name)?.subresources;
}

function validateVersion(
  version: InternalVersion,
  path: FieldPath,
  context: {
    readonly subresources: Subresources | undefined;
    readonly options: SchemaOptions;
    readonly allowances: Allowances;
  },
): FieldError[] {
  const errors = validateDeprecation(version, path.child('deprecationWarning'));
  append(
    errors,
    validateVersionSchema(version.schema, path.child('schema'), {
      hasStatus: context.subresources?.status !== undefined,
      version: version.name,
      options: context.options,
    }),
  );
  append(errors, validateSubresources(version.subresources, path.child('subresources')));
  version.additionalPrinterColumns?.forEach((column, i) => {
    append(errors, validateColumn(column, path.child('additionalPrinterColumns').index(i)));
  });
  append(
    errors,
    validateSelectable(version.selectableFields ?? [], version.schema?.openAPIV3Schema, {
      path,
      schemaName: 'schema.openAPIV3Schema',
      missing: 'may only be set when `version.schema.openAPIV3Schema` is not included',
      allowTooMany: context.allowances.tooManySelectable.has(version.name),
    }),
  );
  return errors;
}

function validateDeprecation(
  { deprecated, deprecationWarning: warning }: InternalVersion,
  path: FieldPath,
): FieldError[] {
  if (warning === undefined) return [];
  const value = textByPointer(warning);
  if (!deprecated) return [invalidValue(path, value, 'can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (byteLength(warning) > 256) errors.push(invalidValue(path, value, 'must be <= 256 characters long'));
  if (warning === '') errors.push(invalidValue(path, value, 'must not be an empty string'));
  let index = 0;
  for (const character of warning) {
    if (!isPrintable(character)) {
      errors.push(
        invalidValue(
          path,
          value,
          `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
        ),
      );
      break;
    }
    index += byteLength(character);
  }
  return errors;
}

/** Extensions that only structural schemas may have. */
function hasExtensions(schema: JSONSchemaProps): boolean {
  return (
    schema['x-kubernetes-embedded-resource'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] !== undefined ||
    schema['x-kubernetes-int-or-string'] === true ||
    (schema['x-kubernetes-list-map-keys'] ?? []).length > 0 ||
    schema['x-kubernetes-list-type'] !== undefined ||
    (schema['x-kubernetes-validations'] ?? []).length > 0
  );
}
