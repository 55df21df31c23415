import { readFileSync } from 'node:fs';
import type { EtcdPaths } from '../generate/resources.ts';

/**
 * Where objects of each resource are stored, as what, and since when: off the table of upstream's own test of that
 * (test/integration/etcd/data.go).
 */
export function etcdPaths(file: string): EtcdPaths {
  const rows = /^\t\tgvr\("([^"]*)", "([^"]*)", "([^"]*)"\): \{\n([\s\S]*?)^\t\t\},$/gm;
  const paths: Record<string, { readonly example: string; readonly storedAs?: string; readonly introduced?: string }> =
    {};
  for (const [, group = '', version = '', resource = '', body = ''] of readFileSync(file, 'utf8').matchAll(rows)) {
    const read = (name: string): string =>
      new RegExp(`^\\t\\t\\t${name}:\\s+(.*?),(?: // .*)?$`, 'm').exec(body)?.[1] ?? '';
    const introduced = read('IntroducedVersion').replaceAll('"', '');
    const example = read('ExpectedEtcdPath')
      .replaceAll(/" \+ namespace \+ "/g, '{namespace}')
      .replaceAll('"', '');
    const [, storedGroup = '', ...stored] = /gvkP\("([^"]*)", "([^"]*)", "([^"]*)"\)/.exec(read('ExpectedGVK')) ?? [];
    paths[[...(group === '' ? [] : [group]), version, resource].join('/')] = {
      example,
      ...(introduced === '' ? {} : { introduced }),
      ...(stored.length === 0 ? {} : { storedAs: [...(storedGroup === '' ? [] : [storedGroup]), ...stored].join('/') }),
    };
  }
  return paths;
}
