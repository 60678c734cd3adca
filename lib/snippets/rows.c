/* rows.c - see rows.h. */
#include <stdio.h>
#include <string.h>

#include "lib/snippets/program.h"
#include "lib/snippets/rows.h"

enum { CODE_BYTES = 256 };

static bool is_npy(const struct program *program)
{
	return strcmp(program->about->manifest.form.ops->name, "npy") == 0;
}

void program_each_shard(struct program *program, unsigned indent)
{
	program_import(program, "import pathlib");
	program_line(program, indent,
	    "for keys in sorted(pathlib.Path(FOLDER).glob("
	    "\"shard-*.keys.txt\")):");
	program_line(
	    program, indent + 1, "stem = str(keys)[:-len(\".keys.txt\")]");
}

void program_load_rows(
    struct program *program, unsigned indent, const char *self)
{
	const bool is_one = program_has_one_field(program);

	program_import(program, "import pathlib");
	program_line(program, indent, "%srows = %s", self,
	    is_one ? "np.load(stem + \".npy\", mmap_mode=\"r\")"
	           : "{f: np.load(f\"{stem}.{f}.npy\", mmap_mode=\"r\") "
	             "for f in FIELDS}");
	program_line(
	    program, indent, "path = pathlib.Path(stem + \".labels.npy\")");
	program_line(program, indent,
	    "%slabels = np.load(path) if path.exists() else "
	    "np.full(len(%srows%s), -1)",
	    self, self, is_one ? "" : "[FIELDS[0]]");
}

void program_load_row(struct program *program, unsigned indent,
    const char *self, const struct array_library *arrays)
{
	if (program_has_one_field(program))
		program_line(program, indent, "x = %snp.array(%srows[i])%s",
		    arrays->open, self, arrays->close);
	else
		program_line(program, indent,
		    "x = {f: %snp.array(%srows[f][i])%s for f in FIELDS}",
		    arrays->open, self, arrays->close);
}

void program_load_batch(struct program *program, unsigned indent,
    const struct array_library *arrays)
{
	if (program_has_one_field(program))
		program_line(program, indent, "x = %srows[at:at + BATCH]%s",
		    arrays->open, arrays->close);
	else
		program_line(program, indent,
		    "x = {f: %srows[f][at:at + BATCH]%s for f in FIELDS}",
		    arrays->open, arrays->close);
}

static void read_rows(
    struct program *program, const struct array_library *arrays)
{
	program_each_shard(program, 1);
	program_load_rows(program, 2, "");
	program_line(program, 2, "for i, label in enumerate(labels):");
	program_load_row(program, 3, "", arrays);
	program_steps(program, 3);
	program_line(program, 3, "yield x, int(label)");
}

/* Loads field `field` of the sample in a line of the index (index.h). */
static void load_file(struct program *program, unsigned field,
    const struct array_library *arrays, char *text, size_t size)
{
	const bool is_encoded =
	    program_is_encoded(program_stored(program), field);

	snprintf(text, size, "%s%s(f\"{folder}/{words[-1]}.{words[%u]}\")%s%s",
	    is_encoded ? "" : arrays->open,
	    is_encoded ? "pathlib.Path" : "np.load", 4 + 3 * field,
	    is_encoded ? ".read_bytes()" : "", is_encoded ? "" : arrays->close);
}

/* The indexes list the files and the label of each sample. */
static void read_files(
    struct program *program, const struct array_library *arrays)
{
	const struct schema *stored = program_stored(program);
	char file[CODE_BYTES];

	program_each_index_line(program, 1);
	program_line(program, 3, "if words[0] != \"sample\":");
	program_line(program, 4, "continue");
	if (!program_has_one_field(program))
		program_line(program, 3, "x = {");
	for (unsigned f = 0; f < stored->count; f++) {
		load_file(program, f, arrays, file, sizeof(file));
		if (program_has_one_field(program))
			program_line(program, 3, "x = %s", file);
		else
			program_line(program, 4, "\"%s\": %s,",
			    stored->fields[f].name, file);
	}
	if (!program_has_one_field(program))
		program_line(program, 3, "}");
	program_steps(program, 3);
	program_line(program, 3, "yield x, int(words[1])");
}

void program_read_samples(
    struct program *program, const struct array_library *arrays)
{
	program_line(program, 0, "def read(%s):", arrays->random);
	if (is_npy(program))
		read_rows(program, arrays);
	else
		read_files(program, arrays);
	program_blank(program, 2);
}

void program_batches(
    struct program *program, const struct array_library *arrays)
{
	program_import(program, "import itertools");
	program_line(program, 0, "def batches(%s):", arrays->random);
	program_line(program, 1, "stream = read(%s)", arrays->random);
	program_line(program, 1,
	    "while batch := list(itertools.islice(stream, BATCH)):");
	program_line(program, 2, "yield collate(batch)");
	program_blank(program, 2);
}
