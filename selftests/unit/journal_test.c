// SPDX-License-Identifier: GPL-2.0
/* The journal: what was noted is read back, also when a crash cut it off. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "apply/journal.h"

static struct home home;

static int setup(void **state)
{
	static char directory[] = "/tmp/journal-XXXXXX";

	if (!mkdtemp(directory))
		return -1;
	*state = directory;
	snprintf(home.journal, sizeof(home.journal), "%s/eth0.journal", directory);
	return 0;
}

static int teardown(void **state)
{
	unlink(home.journal);
	return rmdir(*state);
}

static void write_text(const char *text)
{
	int fd = open(home.journal, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void steps_are_read_back_oldest_first(void **state)
{
	struct step *steps = NULL;
	int fd = journal_open(&home);

	assert_true(fd >= 0);
	for (int i = 0; i < 200; i++) {
		struct step step = { .kind = i ? STEP_ATTACH : STEP_PROGRAMS };

		snprintf(step.target, sizeof(step.target), "eth%d", i);
		snprintf(step.before, sizeof(step.before), "a value with blanks %d", i);
		strcpy(step.after, "-");
		assert_int_equal(journal_note(fd, &step), 0);
	}
	close(fd);
	assert_int_equal(journal_read(&home, &steps), 200);
	assert_int_equal(steps[0].kind, STEP_PROGRAMS);
	assert_string_equal(steps[199].target, "eth199");
	assert_string_equal(steps[199].before, "a value with blanks 199");
	free(steps);
	unlink(home.journal);
}

static void no_journal_is_no_step(void **state)
{
	struct step *steps = NULL;

	assert_int_equal(journal_read(&home, &steps), 0);
	free(steps);
}

static void a_line_cut_off_or_not_ours_is_left_out(void **state)
{
	static const struct {
		const char *text;
		int count;
	} rows[] = {
		{ "attach\teth0\t-\tnative link\n", 1 },
		{ "attach\teth0\t-\tnative link", 0 },
		{ "programs\teth0\t-\tx\nattach\teth0", 1 },
		{ "attach\teth0\n", 0 },
		{ "dance\teth0\t-\tx\n", 0 },
		{ "\n\n", 0 },
		{ "", 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct step *steps = NULL;

		write_text(rows[i].text);
		assert_int_equal(journal_read(&home, &steps), rows[i].count);
		free(steps);
	}
}

static void note_in(const struct home *where, const char *before, const char *after)
{
	struct step step = { .kind = STEP_SYSCTL, .target = "net.core.gro_normal_batch" };
	int fd = journal_open(where);

	strcpy(step.before, before);
	strcpy(step.after, after);
	assert_int_equal(journal_note(fd, &step), 0);
	close(fd);
}

/* eth0 made 8 to 32, eth1 made 32 to 64: who leaves first, 8 is what comes back in the end. */
static void a_shared_value_is_handed_over(void **state)
{
	struct home other = home;
	struct step step = { .kind = STEP_SYSCTL, .target = "net.core.gro_normal_batch" };
	struct step *steps = NULL;

	snprintf(other.journal, sizeof(other.journal), "%s/eth1.journal", (char *)*state);
	note_in(&home, "8", "32");
	note_in(&other, "32", "64");
	strcpy(step.after, "32");
	assert_true(journal_other_holds(&other, &step));
	assert_false(journal_other_holds(&home, &step));
	strcpy(step.before, "32");
	strcpy(step.after, "64");
	assert_false(journal_hand_over(&other, &step)); /* nobody is on top of it */
	strcpy(step.before, "8");
	strcpy(step.after, "32");
	assert_true(journal_hand_over(&home, &step));
	assert_int_equal(journal_read(&other, &steps), 1);
	assert_string_equal(steps[0].before, "8");
	assert_string_equal(steps[0].after, "64");
	assert_true(journal_has(&other, &steps[0]));
	assert_false(journal_has(&home, &steps[0]));
	free(steps);
	unlink(other.journal);
	unlink(home.journal);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_read_back_oldest_first),
		cmocka_unit_test(no_journal_is_no_step),
		cmocka_unit_test(a_line_cut_off_or_not_ours_is_left_out),
		cmocka_unit_test(a_shared_value_is_handed_over),
	};

	return cmocka_run_group_tests_name("journal", tests, setup, teardown);
}
