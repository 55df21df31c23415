import { builtinScheme, createScheme } from '@kubechain/apimachinery';
import type { KubeObject, Scheme, StructSchema } from '@kubechain/apimachinery';
import type { CustomResourceDefinition } from '../crd/crd-types.ts';
import { structuralSchema } from '../schema/structural.ts';
import { CustomValues } from '../values/custom-values.ts';

/**
 * The scheme of one CRD: its kind in every version, unstructured. Objects are pruned where they are defaulted, since
 * both happen whenever bytes become an object. Conversion changes apiVersion and nothing else (strategy None).
 */
export function customScheme(crd: CustomResourceDefinition): Scheme {
  const { group, names, versions } = crd.spec;
  const schemas = new Map<string, StructSchema>(versions.map(({ name, schema }) => [`${group}/${name}`, structuralSchema(schema?.openAPIV3Schema)]));
  const base = createScheme({
    kinds: versions.flatMap(({ name }) => {
      const schema = schemas.get(`${group}/${name}`);
      return schema === undefined ? [] : [{ gvk: { group, version: name, kind: names.kind }, schema, goType: 'unstructured.Unstructured', unstructured: true }];
    }),
    versions: new Map([[group, versions.map(({ name }) => name)]]),
  });
  return {
    // Scale and the option kinds are built in.
    kind: (gvk) => base.kind(gvk) ?? builtinScheme().kind(gvk),
    versions: (name) => base.versions(name),
    kinds: () => base.kinds(),
    convert: (object, target) => base.convert(object, target),
    applyDefaults(object: KubeObject) {
      const served = crd.spec.versions.find(({ name }) => object.apiVersion === `${group}/${name}`);
      if (served === undefined) { base.applyDefaults(object); return; }
      const values = CustomValues.of(served.schema?.openAPIV3Schema);
      values.coerce(object, { dropInvalidMetadata: true });
      values.applyDefaults(object);
    },
  };
}
