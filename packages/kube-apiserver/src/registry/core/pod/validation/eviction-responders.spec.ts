import { FieldPath } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { validateEvictionResponders } from './eviction-responders.ts';
import type { EvictionResponder } from './eviction-responders.ts';

describe('responders to evictions', () => {
  const rows: readonly (readonly [
    what: string,
    responders: readonly EvictionResponder[],
    errors: readonly string[],
  ])[] = [
    [
      'may be several',
      [
        { name: 'a.example.com/x', priority: 10_000 },
        { name: 'b/y', priority: 1_000 },
      ],
      [],
    ],
    [
      'have a name and a priority',
      [{}],
      ['responders[0].name: Required value', 'responders[0].priority: Required value'],
    ],
    [
      'have names of their own',
      [
        { name: 'a/b', priority: 1_000 },
        { name: 'a/b', priority: 2_000 },
      ],
      ['responders[1]: Duplicate value: {"name":"a/b","priority":2000}'],
    ],
    [
      'have a domain',
      [{ name: 'x', priority: 1_000 }],
      ['responders[0].name: Invalid value: "x": must include a prefix (e.g. \'example.com/key\')'],
    ],
    [
      'have no domain of Kubernetes',
      [
        { name: 'Evictor.K8s.io/x', priority: 1_000 },
        { name: 'kubernetes.io/x', priority: 1_000 },
        { name: 'notk8s.io/x', priority: 1_000 },
      ],
      [
        'responders[0].name: Invalid value: "Evictor.K8s.io/x": domain names *.k8s.io, *.kubernetes.io are',
        'responders[0].name: Invalid value: "Evictor.K8s.io/x": prefix part a lowercase RFC 1123',
        'responders[1].name: Invalid value: "kubernetes.io/x": domain names *.k8s.io, *.kubernetes.io are',
      ],
    ],
    [
      'have no priority of Kubernetes, and none out of range',
      [
        { name: 'a/a', priority: 999 },
        { name: 'a/b', priority: -1 },
        { name: 'a/c', priority: 100_001 },
      ],
      [
        'responders[0].priority: Invalid value: 999: priorities 0-999 are reserved for responders',
        'responders[1].priority: Invalid value: -1: must be greater than or equal to 0',
        'responders[2].priority: Invalid value: 100001: must be less than or equal to 100000',
      ],
    ],
    [
      'are ten at most',
      Array.from({ length: 11 }, () => ({})),
      ['responders: Too many: 11: must have at most 10 items'],
    ],
  ];
  for (const [what, responders, errors] of rows)
    it(what, () => {
      const found = validateEvictionResponders(responders, FieldPath.of('responders')).map(String);
      expect(found).to.have.length(errors.length);
      for (const [i, error] of errors.entries()) expect(found[i]).to.include(error);
    });
});
