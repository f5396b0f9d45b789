-- How many bytes a dimension of a model's vectors takes in the table vector. 2: as was
-- said there. 1: of each chunk that has one its ordinal in two bytes, a scale (float32),
-- and a byte for each component of the turned vector (package vectors).
ALTER TABLE model ADD COLUMN bytes INTEGER NOT NULL DEFAULT 2;
