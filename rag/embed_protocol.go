package rag

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A protocol formats the requests and parses the replies of a kind of embedding service.
type protocol interface {
	path(base string) string // path of the URL; base has no trailing slash
	request(model string, texts []string) any
	// vectors parses a reply. It returns one vector per text, in order.
	vectors(reply []byte) ([][]float32, error)
}

var errNoJSON = errors.New("not JSON with embeddings")

// openAI is the POST /v1/embeddings protocol of OpenAI, which Ollama, vLLM and LM Studio share
// (https://platform.openai.com/docs/api-reference/embeddings).
type openAI struct{}

func (openAI) path(base string) string {
	return strings.TrimSuffix(cmp.Or(base, "/v1"), "/embeddings") + "/embeddings"
}

func (openAI) request(model string, texts []string) any {
	return map[string]any{"model": model, "input": texts, "encoding_format": "float"}
}

func (openAI) vectors(reply []byte) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     int
			Embedding []float32
		}
	}
	if json.Unmarshal(reply, &answer) != nil {
		return nil, errNoJSON
	}
	vectors := make([][]float32, len(answer.Data))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(vectors) || vectors[d.Index] != nil {
			return nil, fmt.Errorf("index %d is out of range or repeated", d.Index)
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

// textEmbeddingsInference is the POST /embed protocol of Hugging Face's server
// (https://huggingface.github.io/text-embeddings-inference/). The server truncates texts that
// are too long for its model.
type textEmbeddingsInference struct{}

func (textEmbeddingsInference) path(base string) string {
	return strings.TrimSuffix(base, "/embed") + "/embed"
}

func (textEmbeddingsInference) request(_ string, texts []string) any {
	return map[string]any{"inputs": texts, "normalize": true, "truncate": true}
}

func (textEmbeddingsInference) vectors(reply []byte) (vectors [][]float32, err error) {
	if json.Unmarshal(reply, &vectors) != nil {
		return nil, errNoJSON
	}
	return vectors, nil
}
