// Command certificates tells how Go reads PEM and judges chains of certificates, for comparison.
//
//	certificates pem            reads texts, a line of base64 each, and prints the blocks of each as JSON
//	certificates chains SEED N  makes N chains and prints each as JSON, with what crypto/x509 says of it
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	cryptorand "crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log"
	"math/big"
	"math/rand"
	"net"
	"net/url"
	"os"
	"strconv"
	"time"
)

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "pem":
		readPEM()
	case len(os.Args) == 4 && os.Args[1] == "chains":
		seed, err := strconv.ParseInt(os.Args[2], 10, 64)
		check(err)
		count, err := strconv.Atoi(os.Args[3])
		check(err)
		makeChains(rand.New(rand.NewSource(seed)), count)
	default:
		log.Fatal("usage: certificates pem | certificates chains SEED N")
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

type block struct {
	Type       string `json:"type"`
	HasHeaders bool   `json:"hasHeaders"`
	Bytes      []byte `json:"bytes"`
}

func readPEM() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		text, err := base64.StdEncoding.DecodeString(in.Text())
		check(err)
		blocks := []block{}
		for {
			found, rest := pem.Decode(text)
			if found == nil {
				break
			}
			// Bytes of the type as characters of their numbers.
			name := []rune{}
			for _, b := range []byte(found.Type) {
				name = append(name, rune(b))
			}
			blocks = append(blocks, block{string(name), len(found.Headers) > 0, found.Bytes})
			text = rest
		}
		check(out.Encode(blocks))
	}
	check(in.Err())
}

type chain struct {
	Leaf          []byte   `json:"leaf"`
	Intermediates [][]byte `json:"intermediates"`
	Roots         [][]byte `json:"roots"`
	TimeMs        int64    `json:"timeMs"`
	Problem       string   `json:"problem"`
}

type issued struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

var base = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

func makeChains(random *rand.Rand, count int) {
	keys := []*ecdsa.PrivateKey{}
	for range 8 {
		key, err := ecdsa.GenerateKey(elliptic.P256(), cryptorand.Reader)
		check(err)
		keys = append(keys, key)
	}
	out := json.NewEncoder(os.Stdout)
	for range count {
		one := makeChain(random, keys)
		check(out.Encode(one))
	}
}

func oneIn(random *rand.Rand, n int) bool { return random.Intn(n) == 0 }

func makeChain(random *rand.Rand, keys []*ecdsa.PrivateKey) chain {
	length := 1 + random.Intn(4)
	var made []issued
	var parent *issued
	for i := range length {
		leaf := i == length-1
		template := &x509.Certificate{
			SerialNumber:          big.NewInt(random.Int63()),
			Subject:               pkix.Name{CommonName: fmt.Sprintf("c%d", i), Organization: []string{"o"}},
			NotBefore:             base.Add(-time.Hour),
			NotAfter:              base.Add(time.Hour),
			BasicConstraintsValid: !leaf || oneIn(random, 2),
			IsCA:                  !leaf,
			MaxPathLen:            -1,
			KeyUsage:              x509.KeyUsageDigitalSignature,
		}
		if !leaf {
			template.KeyUsage |= x509.KeyUsageCertSign
		}
		vary(random, template, leaf)
		key := keys[random.Intn(len(keys))]
		signer, signingKey := template, key
		if parent != nil {
			signer, signingKey = parent.certificate, parent.key
			if oneIn(random, 25) {
				signingKey = keys[random.Intn(len(keys))]
			}
		}
		der, err := x509.CreateCertificate(&fixed{random}, template, signer, &key.PublicKey, signingKey)
		if err != nil {
			// The template or the signature does not go: another one.
			return makeChain(random, keys)
		}
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return makeChain(random, keys)
		}
		made = append(made, issued{certificate, key})
		parent = &made[len(made)-1]
	}
	leaf := made[len(made)-1].certificate
	roots, intermediates := x509.NewCertPool(), x509.NewCertPool()
	result := chain{Leaf: leaf.Raw, Intermediates: [][]byte{}, Roots: [][]byte{}, TimeMs: base.UnixMilli()}
	for i, one := range made {
		isRoot := i == 0 || oneIn(random, 12)
		if isRoot && !(i == 0 && oneIn(random, 12)) {
			roots.AddCert(one.certificate)
			result.Roots = append(result.Roots, one.certificate.Raw)
		} else if i < len(made)-1 && !oneIn(random, 15) {
			intermediates.AddCert(one.certificate)
			result.Intermediates = append(result.Intermediates, one.certificate.Raw)
		}
	}
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: intermediates, CurrentTime: base,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		result.Problem = err.Error()
	}
	return result
}

// vary makes a certificate one that may not stand where it stands, now and then.
func vary(random *rand.Rand, template *x509.Certificate, leaf bool) {
	usages := []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageAny}
	if oneIn(random, 3) {
		template.ExtKeyUsage = usages[random.Intn(2):][:1]
		if oneIn(random, 3) {
			template.ExtKeyUsage = append([]x509.ExtKeyUsage{usages[random.Intn(3)]}, template.ExtKeyUsage...)
		}
	}
	if oneIn(random, 15) {
		template.NotAfter = base.Add(-time.Minute)
	}
	if oneIn(random, 15) {
		template.NotBefore = base.Add(time.Minute)
	}
	if oneIn(random, 20) {
		template.ExtraExtensions = []pkix.Extension{{Id: []int{1, 2, 3, random.Intn(1000)}, Critical: oneIn(random, 2), Value: []byte{5, 0}}}
	}
	hosts := []string{"a.example.com", "example.com", "*.example.com", "b.example.org", "localhost", "A.Example.COM"}
	addresses := []net.IP{net.IPv4(10, 0, 0, 1).To4(), net.IPv4(192, 168, 1, 1).To4(), net.ParseIP("fd00::1")}
	if leaf || oneIn(random, 8) {
		if oneIn(random, 2) {
			template.DNSNames = []string{hosts[random.Intn(len(hosts))]}
		}
		if oneIn(random, 3) {
			template.IPAddresses = []net.IP{addresses[random.Intn(len(addresses))]}
		}
		if oneIn(random, 4) {
			template.EmailAddresses = []string{"me@" + hosts[random.Intn(2)]}
		}
		if oneIn(random, 4) {
			template.URIs = []*url.URL{{Scheme: "spiffe", Host: hosts[random.Intn(2)], Path: "/x"}}
		}
	}
	if leaf {
		return
	}
	if oneIn(random, 4) {
		template.MaxPathLen = random.Intn(2)
		template.MaxPathLenZero = true
	}
	if oneIn(random, 20) {
		template.IsCA, template.MaxPathLen, template.MaxPathLenZero = false, -1, false
	}
	if oneIn(random, 20) {
		template.BasicConstraintsValid, template.IsCA, template.MaxPathLen, template.MaxPathLenZero = false, false, 0, false
	}
	if oneIn(random, 20) {
		template.KeyUsage = x509.KeyUsageDigitalSignature
	}
	if oneIn(random, 3) {
		constrain(random, template)
	}
}

func constrain(random *rand.Rand, template *x509.Certificate) {
	domains := []string{"example.com", ".example.com", "a.example.com", "example.org", "localhost"}
	domain := func() []string { return []string{domains[random.Intn(len(domains))]} }
	network := func(text string) []*net.IPNet {
		_, parsed, err := net.ParseCIDR(text)
		check(err)
		return []*net.IPNet{parsed}
	}
	template.PermittedDNSDomainsCritical = oneIn(random, 2)
	switch random.Intn(8) {
	case 0:
		template.PermittedDNSDomains = domain()
	case 1:
		template.ExcludedDNSDomains = domain()
	case 2:
		template.PermittedIPRanges = network("10.0.0.0/8")
	case 3:
		template.ExcludedIPRanges = network("fd00::/8")
	case 4:
		template.PermittedEmailAddresses = []string{"me@example.com"}
	case 5:
		template.ExcludedEmailAddresses = domain()
	case 6:
		template.PermittedURIDomains = domain()
	case 7:
		template.ExcludedURIDomains = domain()
	}
}

// fixed is a source of bytes that a seed decides.
type fixed struct{ random *rand.Rand }

func (f *fixed) Read(into []byte) (int, error) { return f.random.Read(into) }
