import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.File;
import java.util.Map;

/** Drives the chain with fabric8: CRUD, errors, server-side apply. Its watches use WebSockets, which are not built yet. Usage: Client KUBECONFIG. */
public final class Client {
  private static final String NAMESPACE = "java-client";

  public static void main(String[] args) throws Exception {
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(new File(args[0]))).build()) {
      client.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build()).create();
      crud(client);
      System.out.println("ok   crud");
      apply(client);
      System.out.println("ok   server-side apply");
    }
    System.exit(0);
  }

  private static ConfigMap map(String name, String value) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).withNamespace(NAMESPACE).addToLabels("x", "y").endMetadata().addToData("k", value).build();
  }

  private static void crud(KubernetesClient client) {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    maps.resource(map("a", "v")).create();
    maps.withName("a").edit(found -> new ConfigMapBuilder(found).addToData("p", "q").build());
    require(maps.withName("a").get().getData().equals(Map.of("k", "v", "p", "q")), "edited data");
    require(maps.withLabel("x", "y").list().getItems().size() == 1, "list by label");
    try {
      maps.resource(map("a", "again")).create();
      throw new IllegalStateException("created twice");
    } catch (KubernetesClientException error) {
      require(error.getCode() == 409, "409 for a name that is taken, got " + error.getCode());
    }
    maps.withName("a").delete();
    require(maps.withName("a").get() == null, "deleted");
  }

  private static void apply(KubernetesClient client) {
    var context = new PatchContext.Builder().withPatchType(PatchType.SERVER_SIDE_APPLY).withFieldManager("java").withForce(true).build();
    var first = client.resource(map("applied", "1")).patch(context);
    var again = client.resource(map("applied", "1")).patch(context);
    require(first.getMetadata().getResourceVersion().equals(again.getMetadata().getResourceVersion()), "applying again changes nothing");
  }

  private static void require(boolean condition, String what) {
    if (!condition) throw new IllegalStateException(what);
  }
}
