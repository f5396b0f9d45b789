package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"strings"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageUser is the ID of the user of the image, which may write only to /data.
const imageUser = 65532

// A blob is a part of an image and its descriptor (https://github.com/opencontainers/image-spec).
type blob struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	data        []byte
}

// newBlob returns a blob of a media type with its digest.
func newBlob(kind string, data []byte) blob {
	sum := sha256.Sum256(data)
	digest := "sha256:" + hex.EncodeToString(sum[:])
	return blob{MediaType: "application/vnd.oci.image." + kind, Digest: digest, Size: len(data), data: data}
}

// jsonBlob returns a blob with the JSON of value.
func jsonBlob(kind string, value any) (blob, error) {
	data, err := json.Marshal(value)
	return newBlob(kind, data), err
}

// platformImage is the image of one platform: its manifest, its configuration and its layer.
type platformImage [3]blob

// layer makes the image of one platform. It contains only the binary, Mozilla's root
// certificates, licences and empty folders for data and temporary files. By default the image
// serves MCP over HTTP; arguments of "docker run" replace that command. The health check is
// an extension of Docker.
func (m *packer) layer(p platform, program file) (all platformImage, err error) {
	var roots bytes.Buffer
	for root := range bundle.Roots() {
		if err := pem.Encode(&roots, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return all, err
		}
	}
	files := append([]file{
		program, {name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, data: roots.Bytes()},
		{name: "data/", mode: 0o700}, {name: "tmp/", mode: 0o1777},
	}, m.licences...)
	plain, err := m.tar(files)
	if err != nil {
		return all, err
	}
	packed, err := compress(plain)
	if err != nil {
		return all, err
	}
	all[2] = newBlob("layer.v1.tar+gzip", packed)
	type object = map[string]any
	if all[1], err = jsonBlob("config.v1+json", object{
		"created": m.modTime.Format(time.RFC3339), "architecture": p.arch, "os": p.os,
		"rootfs": object{"type": "layers", "diff_ids": []string{newBlob("layer", plain).Digest}},
		"config": object{
			"User": "65532:65532", "Entrypoint": []string{"/biomcp"}, "Cmd": []string{"serve-http"},
			"Env": []string{
				"MCP_HTTP_HOST=0.0.0.0", "BIOMCP_DATA_DIR=/data", "BIOMCP_CACHE_DIR=/data/cache", "HOME=/data",
			},
			"Volumes": object{"/data": object{}}, "ExposedPorts": object{"8080/tcp": object{}}, "WorkingDir": "/data",
			"Healthcheck": object{
				"Test":     []string{"CMD", "/biomcp", "serve-http", "probe"},
				"Interval": 30 * time.Second, "Timeout": 5 * time.Second,
			},
			"Labels": object{
				"org.opencontainers.image.version": m.version, "org.opencontainers.image.licenses": "MIT",
				"io.modelcontextprotocol.server.name": serverName(),
			},
		},
	}); err != nil {
		return all, err
	}
	all[0], err = jsonBlob("manifest.v1+json", object{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
		"config": all[1], "layers": all[2:],
	})
	all[0].Platform = map[string]string{"os": p.os, "architecture": p.arch}
	return all, err
}

// image makes the OCI layout of one image for all its platforms, as a tar file for
// `skopeo copy --all oci-archive:FILE`, podman and Docker. Its index has one entry, the list of
// platforms, since skopeo rejects a layout with several images. Docker reads the name of the
// image from the containerd annotation.
func (m *packer) image(images []platformImage) error {
	manifests := []blob{}
	var blobs []blob
	for _, all := range images {
		manifests, blobs = append(manifests, all[0]), append(blobs, all[:]...)
	}
	index := func(manifests ...blob) (blob, error) {
		return jsonBlob("index.v1+json", map[string]any{
			"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": manifests,
		})
	}
	list, err := index(manifests...)
	if err != nil {
		return err
	}
	list.Annotations = map[string]string{
		"org.opencontainers.image.ref.name": m.version, "io.containerd.image.name": imageName(m.version),
	}
	outer, err := index(list)
	if err != nil {
		return err
	}
	files := []file{{name: "oci-layout", mode: 0o644, data: []byte(`{"imageLayoutVersion":"1.0.0"}`)}}
	for _, b := range append(blobs, list) {
		files = append(files, file{name: "blobs/sha256/" + b.Digest[len("sha256:"):], mode: 0o644, data: b.data})
	}
	layout, err := m.tar(append(files, file{name: "index.json", mode: 0o644, data: outer.data}))
	if err != nil {
		return err
	}
	return m.write("biomcp_"+m.version+".oci.tar", layout)
}

// imageName returns the name of the image in its registry.
func imageName(version string) string {
	owner, name := repository()
	return strings.ToLower("ghcr.io/" + owner + "/" + name + ":" + version)
}
