import { expect } from 'chai';
import { autoManagedLabel, type APIService } from '../apiservice/api-service.ts';
import { decide, type RegistrationState } from './decide.ts';

const made = (managed: string | undefined, versionPriority = 1): APIService => ({
  metadata: {
    name: 'v1.example.com',
    uid: 'u',
    ...(managed === undefined ? {} : { labels: { [autoManagedLabel]: managed } }),
  },
  spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority },
});
const fresh = { current: undefined, desired: undefined, synced: false, atStart: false };

describe('decide', () => {
  const rows: readonly (readonly [
    name: string,
    state: Partial<RegistrationState>,
    kind: ReturnType<typeof decide>['kind'],
  ])[] = [
    ['nothing there, nothing wanted', {}, 'none'],
    ['a missing built-in one', { desired: made('onstart') }, 'create'],
    ['a built-in one that its user deleted', { desired: made('onstart'), synced: true }, 'none'],
    ['a missing one of a CRD', { desired: made('true') }, 'create'],
    ['one of a CRD that somebody deleted', { desired: made('true'), synced: true }, 'create'],
    ["somebody else's", { current: made(undefined, 5), desired: made('true') }, 'none'],
    ["somebody else's that nobody serves", { current: made(undefined) }, 'none'],
    ['one of a CRD that is gone', { current: made('true'), synced: true }, 'delete'],
    ['one of a CRD that somebody changed', { current: made('true', 5), desired: made('true'), synced: true }, 'update'],
    ['one of a CRD as it should be', { current: made('true'), desired: made('true') }, 'none'],
    [
      'a built-in one with old priorities',
      { current: made('onstart', 5), desired: made('onstart'), atStart: true },
      'update',
    ],
    [
      'a built-in one that its user changed',
      { current: made('onstart', 5), desired: made('onstart'), atStart: true, synced: true },
      'none',
    ],
    ['a built-in one of an old version', { current: made('onstart'), atStart: true }, 'delete'],
    ['one that a user labelled as built in', { current: made('onstart') }, 'none'],
  ];
  for (const [name, state, kind] of rows)
    it(`${name}: ${kind}`, () => {
      expect(decide({ ...fresh, ...state }).kind).to.equal(kind);
    });
});
