import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** Fabric8's kube-api-test: Envtest DIR VERSION. Starts the programs twice, as two test classes do. */
public class Envtest {
  public static void main(String[] args) {
    for (int round = 1; round <= 2; round++) {
      KubeAPIServer server =
          new KubeAPIServer(
              KubeAPIServerConfigBuilder.anAPIServerConfig()
                  .withTestDir(args[0])
                  .withApiServerVersion(args[1])
                  .withOfflineMode(true)
                  .withUpdateKubeConfig(false)
                  .build());
      server.start();
      try (var client =
          new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(server.getKubeConfigYaml())).build()) {
        var map = new ConfigMapBuilder().withNewMetadata().withName("a").endMetadata().addToData("k", "v").build();
        client.configMaps().inNamespace("default").resource(map).create();
        String value = client.configMaps().inNamespace("default").withName("a").get().getData().get("k");
        System.out.println("ok " + value + " " + client.getKubernetesVersion().getGitVersion());
      } finally {
        server.stop();
      }
    }
    System.exit(0);
  }
}
