import {
  authenticationFlags,
  genericFlags,
  featureFlags,
  loggingFlags,
  runServerProcess,
  servingFlags,
} from '../../options/index.ts';

/** A server process with nothing to serve, as specs start it. */
await runServerProcess({
  name: 'test-server',
  description: 'Serves nothing.',
  flagSets: {
    serving: servingFlags,
    generic: genericFlags,
    features: featureFlags,
    authentication: authenticationFlags,
    logging: loggingFlags,
  },
  async run({ values }, handle) {
    const { completeConfig } = await import('../config.ts');
    const { genericConfigFromFlags, secureServingFromFlags } = await import('../config-from-flags.ts');
    const serving = await secureServingFromFlags(values.serving);
    const server = completeConfig({
      ...genericConfigFromFlags(values.generic, values.features),
      ...(serving === undefined ? {} : { serving }),
    }).newServer('test-server');
    await server.prepareRun().run(handle.signal, {
      onListening: ({ securePort }) => {
        handle.ready({
          url: securePort === undefined ? undefined : `https://${values.serving['bind-address']}:${securePort}`,
        });
      },
    });
  },
});
