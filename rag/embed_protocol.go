package rag

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// openAI is POST /v1/embeddings as OpenAI defined it and Ollama, vLLM and LM
// Studio answer it (https://platform.openai.com/docs/api-reference/embeddings).
type openAI struct{}

func (openAI) url(base *url.URL) string {
	u := *base
	switch u.Path = strings.TrimRight(u.Path, "/"); {
	case strings.HasSuffix(u.Path, "/embeddings"):
	case u.Path == "":
		u.Path = "/v1/embeddings"
	default:
		u.Path += "/embeddings"
	}
	return u.String()
}

func (openAI) request(model string, texts []string) any {
	return struct {
		Model  string   `json:"model"`
		Input  []string `json:"input"`
		Format string   `json:"encoding_format"`
	}{model, texts, "float"}
}

func (openAI) vectors(reply []byte, n int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(reply, &answer); err != nil {
		return nil, fmt.Errorf("no JSON of embeddings")
	}
	if len(answer.Data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts", len(answer.Data), n)
	}
	vectors := make([][]float32, n)
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= n || vectors[d.Index] != nil {
			return nil, fmt.Errorf("index %d is out of place", d.Index)
		}
		if len(d.Embedding) == 0 {
			return nil, fmt.Errorf("an empty vector")
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

// textEmbeddingsInference is POST /embed of Hugging Face's server
// (https://huggingface.github.io/text-embeddings-inference/). The server itself
// cuts what its model cannot hold.
type textEmbeddingsInference struct{}

func (textEmbeddingsInference) url(base *url.URL) string {
	u := *base
	if u.Path = strings.TrimRight(u.Path, "/"); !strings.HasSuffix(u.Path, "/embed") {
		u.Path += "/embed"
	}
	return u.String()
}

func (textEmbeddingsInference) request(_ string, texts []string) any {
	return struct {
		Inputs    []string `json:"inputs"`
		Normalize bool     `json:"normalize"`
		Truncate  bool     `json:"truncate"`
	}{texts, true, true}
}

func (textEmbeddingsInference) vectors(reply []byte, n int) ([][]float32, error) {
	var vectors [][]float32
	if err := json.Unmarshal(reply, &vectors); err != nil {
		return nil, fmt.Errorf("no JSON of embeddings")
	}
	if len(vectors) != n {
		return nil, fmt.Errorf("%d vectors for %d texts", len(vectors), n)
	}
	for _, v := range vectors {
		if len(v) == 0 {
			return nil, fmt.Errorf("an empty vector")
		}
	}
	return vectors, nil
}
