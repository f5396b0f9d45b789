-- Bodies are packed by a code (package textcode) from now on, which the next commit makes
-- where the corpus is large enough. Those that are there are read as they are.
UPDATE meta SET value=0 WHERE key='trained';
