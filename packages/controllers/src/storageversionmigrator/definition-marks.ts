import { formatTime, isConflict, isNotFound } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import type { CustomResourceDefinition } from '@kubechain/apimachinery/types/apiextensions/v1';
import type { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';

const fieldManager = 'migration-runner-controller';
const attempts = 5;

/** How the migration of a definition's objects stands, and for which generation of it that is. */
interface Mark {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly storedVersions?: readonly string[];
}

/**
 * Tells definitions of custom resources that their objects are migrated, and takes versions out of
 * `status.storedVersions` that nothing is stored in any more (migrationrunner.go, 1.37).
 */
export class DefinitionMarks {
  readonly #client: Client;
  readonly #clock: TimerClock;

  constructor(client: Client, clock: TimerClock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** The migration `migration` of its objects begins. Does nothing where there is no such definition. */
  begun(name: string, migration: string): Promise<void> {
    const message = `Migration ${migration} is running`;
    return this.#mark(name, () => ({ status: 'True', reason: 'MigrationRunning', message }));
  }

  /** The migration is over. A definition that was changed meanwhile may have objects in other versions since. */
  ended(name: string, wasSuccessful: boolean): Promise<void> {
    return this.#mark(name, (definition) => {
      const seen = definition.status?.conditions?.find(({ type }) => type === 'StorageMigrating');
      const isSame = seen !== undefined && generationOf(seen) === (definition.metadata?.generation ?? 0);
      const storage = definition.spec.versions.find((version) => version.storage)?.name;
      const stored = isSame && storage !== undefined ? { storedVersions: [storage] } : {};
      if (!wasSuccessful)
        return { status: 'False', reason: 'MigrationFailed', message: 'The migration has failed', ...stored };
      const outcome = isSame
        ? 'and the stored versions have been updated'
        : 'but the stored versions have not been updated due to a generation mismatch';
      const message = `The migration has succeeded ${outcome}`;
      return { status: 'False', reason: 'MigrationSucceeded', message, ...stored };
    });
  }

  async #mark(name: string, markOf: (definition: CustomResourceDefinition) => Mark): Promise<void> {
    const definitions = this.#client.resource(resources.customresourcedefinitions);
    for (let attempt = 1; ; attempt++) {
      try {
        const definition = await definitions.get({ name });
        const { storedVersions, ...condition } = markOf(definition);
        const { generation, resourceVersion } = definition.metadata ?? {};
        await definitions.apply(
          {
            // What was looked at must not have changed.
            metadata: { name, resourceVersion },
            status: {
              conditions: [
                {
                  type: 'StorageMigrating',
                  lastTransitionTime: formatTime(this.#clock.now()),
                  observedGeneration: generation,
                  ...condition,
                },
              ],
              ...(storedVersions === undefined ? {} : { storedVersions }),
            },
          } as unknown as CustomResourceDefinition,
          { fieldManager, force: true, subresource: 'status' },
        );
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error) || attempt === attempts) throw error;
      }
    }
  }
}

/** Types of 1.36 do not have it yet. */
function generationOf(condition: object): number | undefined {
  return (condition as { readonly observedGeneration?: number }).observedGeneration;
}
