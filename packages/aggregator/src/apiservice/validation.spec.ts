import { expect } from 'chai';
import type { APIService } from './api-service.ts';
import { validateAPIService, validateAPIServiceStatus } from './validation.ts';

const service = { namespace: 'n', name: 's', port: 443 };
const apiService = (spec: Partial<APIService['spec']>, name = 'v1.example.com'): APIService => ({
  metadata: { name },
  spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, ...spec },
});

describe('validateAPIService', () => {
  const rows: readonly (readonly [name: string, service: APIService, problems: readonly string[]])[] = [
    ['a local one', apiService({}), []],
    ['a remote one', apiService({ service, insecureSkipTLSVerify: true }), []],
    ['the highest priorities', apiService({ groupPriorityMinimum: 20_000, versionPriority: 1_000 }), []],
    [
      'the core group',
      { metadata: { name: 'v1.' }, spec: { version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 } },
      [],
    ],
    [
      'another name',
      apiService({}, 'v2.example.com'),
      ['metadata.name: Invalid value: "v2.example.com": must be `spec.version+"."+spec.group`: "v1.example.com"'],
    ],
    [
      'another version of the core group',
      { metadata: { name: 'v2.' }, spec: { version: 'v2', groupPriorityMinimum: 1, versionPriority: 1 } },
      ['spec.group: Required value: only v1 may have an empty group and it better be legacy kube'],
    ],
    [
      'priorities that are too low',
      apiService({ groupPriorityMinimum: 0, versionPriority: 0 }),
      [
        'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
      ],
    ],
    [
      'no priorities',
      { metadata: { name: 'v1.example.com' }, spec: { group: 'example.com', version: 'v1' } as APIService['spec'] },
      [
        'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
      ],
    ],
    [
      'a prefix of a name',
      { ...apiService({}), metadata: { name: 'v1.example.com', generateName: 'v' } },
      ['metadata.generateName: Invalid value: "v": must be `spec.version+"."+spec.group`: "v1.example.com"'],
    ],
    [
      'priorities that are too high',
      apiService({ groupPriorityMinimum: 20_001, versionPriority: 1_001 }),
      [
        'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: 1001: must be positive and less than 1000',
      ],
    ],
    [
      'TLS settings of a local one',
      apiService({ caBundle: 'YWJj', insecureSkipTLSVerify: true }),
      [
        'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
        'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
      ],
    ],
    [
      'a nameless service',
      apiService({ service: { port: 70_000 } }),
      [
        'spec.service.namespace: Required value',
        'spec.service.name: Required value',
        'spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'a group and a version that are no names',
      apiService({ group: 'Example', version: '1' }, '1.Example'),
      [
        'spec.group: Invalid value: "Example": a lowercase RFC 1123 subdomain must consist of lower case ' +
          "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. " +
          "'example.com', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.version: Invalid value: "1": a DNS-1035 label must consist of lower case alphanumeric ' +
          "characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. " +
          "'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      'a name that is no part of a path',
      apiService({}, 'a/b'),
      ['metadata.name: Invalid value: "a/b": may not contain \'/\''],
    ],
    [
      'a port that was not defaulted',
      apiService({ service: { namespace: 'n', name: 's' }, insecureSkipTLSVerify: true }),
      ['spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive'],
    ],
    [
      'negative priorities of a remote one',
      apiService({ service, insecureSkipTLSVerify: true, groupPriorityMinimum: -1, versionPriority: -1 }),
      [
        'spec.groupPriorityMinimum: Invalid value: -1: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: -1: must be positive and less than 1000',
      ],
    ],
    [
      'two ways to trust',
      apiService({ service, caBundle: 'YWJj', insecureSkipTLSVerify: true }),
      ['spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present'],
    ],
  ];
  for (const [name, object, problems] of rows)
    it(name, () => {
      expect(validateAPIService(object).map(String)).to.deep.equal(problems);
    });

  it('takes three states of a condition', () => {
    const status = { conditions: [{ type: 'Available', status: 'Maybe' as 'True' }] };
    expect(validateAPIServiceStatus({ ...apiService({}), status }).map(String)).to.deep.equal([
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
    ]);
  });
});
