#include "tree/verifier.h"

#include "base/names.h"
#include "program/program.h"
#include "tree/visit.h"

/* The node at hand in a few words: loop `i`, assign `S0`. */
static const char *node_text(const struct verifier *verifier)
{
    static const char *const word[] = {
        [NODE_BLOCK] = "block",       [NODE_LOOP] = "loop",         [NODE_IF] = "if",
        [NODE_VALUE] = "value",       [NODE_TUPLE] = "tuple",       [NODE_STATEMENT] = "statement",
        [NODE_ASSIGN] = "assignment", [NODE_KERNEL] = "kernel",     [NODE_BARRIER] = "barrier",
        [NODE_LET] = "let",           [NODE_PREFETCH] = "prefetch", [NODE_FENCE] = "fence",
        [NODE_SWITCH] = "switch",     [NODE_CALL] = "call",         [NODE_REGION] = "region",
        [NODE_SINGLE] = "single",     [NODE_POINTER] = "pointer",   [NODE_TILES] = "tiles",
        [NODE_TEXT] = "text",
    };
    const struct node *node = verifier->at;
    const char *name = node->var ? node->var->name : node->statement ? node->statement->label : NULL;

    return name ? arena_printf(verifier->vars->arena, "%s `%s`", word[node->kind], name) : word[node->kind];
}

void verifier_note(struct verifier *verifier, const char *what, const struct var *var)
{
    struct arena *arena = verifier->vars->arena;

    if (verifier->vars->broken)
        return;
    if (var)
        what = arena_printf(arena, "`%s` (#%d) %s", var->name, var->id, what);
    verifier->vars->broken =
        arena_printf(arena, "pass \"%s\" leaves a tree in which %s; %s", verifier->pass, what, node_text(verifier));
}

void verifier_doubt(struct verifier *verifier, const char *what)
{
    struct vars *vars = verifier->vars;

    if (!vars->doubted)
        vars->doubted = arena_printf(vars->arena, "pass \"%s\" leaves a tree in which %s; %s", verifier->pass, what,
                                     node_text(verifier));
}

/* Was the variable handed out, and to one pass only? */
static bool is_known(struct verifier *verifier, const struct var *var)
{
    const struct vars *vars = verifier->vars;

    if (var->id >= 0 && var->id < vars->all.n && vars->all.at[var->id] == var)
        return true;
    verifier_note(verifier, "has an identity that it did not get", var);
    return false;
}

static bool has_argument(const struct node *function, const struct var *var)
{
    for (int k = 0; k < function->n_argument_var; k++)
        if (function->argument_var[k] == var)
            return true;
    return false;
}

static bool starts_threads(const struct node *node)
{
    return node->kind == NODE_REGION || (node_is_parallel(node) && !node->threads->shared);
}

/* Do threads see it where they are, without its being an argument? */
static bool is_shared(const struct verifier *verifier, const struct node *frame, const struct var *var)
{
    const struct node *binder = verifier->binder[var->id];

    const bool number = binder->kind == NODE_TUPLE && binder->var == var;

    return starts_threads(frame) && (binder->kind == NODE_LET || binder->kind == NODE_POINTER || number);
}

/* It is no dead one, and an argument of all functions between what binds it and the place. */
static void use_printed(struct verifier *verifier, const struct var *var)
{
    verifier->used[var->id] = true;
    verify_lanes_use(verifier, var);
    if (var->position != AXIS_NONE && !verifier->kernel->launch->extent[var->position] && (verifier->facts & FACT_GRID))
        verifier_note(verifier, "is a position that the launch does not have", var);
    for (int k = verifier->depth[var->id]; k < verifier->frame.n && var->position == AXIS_NONE; k++)
        if (!has_argument(verifier->frame.at[k], var) && !is_shared(verifier, verifier->frame.at[k], var))
            verifier_note(verifier, "is no argument of the function that uses it", var);
}

static void use(struct verifier *verifier, const struct var *var)
{
    if (!var || !is_known(verifier, var) || var->kind == VAR_PARAM)
        return;
    if (var->position != AXIS_NONE ? !verifier->kernel : !verifier->binder[var->id])
        verifier_note(verifier, "is used where nothing binds it", var);
    else if (!verifier->telling)
        use_printed(verifier, var);
}

/* A name that all targets can have, and no text of one of them; NULL: there is none. Trees have the same names, at the
 * same addresses, after pass after pass. */
static void check_name(struct verifier *verifier, const char *name)
{
    const char **sound = &verifier->vars->sound[(uintptr_t)name / 16 % VARS_SOUND];

    if (!name || *sound == name)
        return;
    if (!name_is_identifier(name) || name_is_reserved(name))
        verifier_note(verifier, arena_printf(verifier->vars->arena, "`%s` stands for a name", name), NULL);
    else
        *sound = name;
}

static void bind(struct verifier *verifier, const struct var *var)
{
    if (!var || !is_known(verifier, var))
        return;
    if (verifier->binder[var->id])
        verifier_note(verifier, "is bound inside of itself", var);
    check_name(verifier, var->name);
    verifier->binder[var->id] = verifier->at;
    verifier->depth[var->id] = verifier->frame.n;
    verifier->used[var->id] = false;
}

static void unbind(struct verifier *verifier, const struct var *var)
{
    if (var && var->id >= 0 && var->id < verifier->vars->all.n)
        verifier->binder[var->id] = NULL;
}

static void use_affine(struct verifier *verifier, const struct affine *affine)
{
    for (int k = 0; affine && k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        use(verifier, atom->kind == ATOM_VAR ? atom->var : NULL);
        for (int a = 0; a < atom->n_arg; a++)
            use_affine(verifier, atom->arg[a]);
    }
}

static void use_affines(struct verifier *verifier, const struct affine *const *affine, int n)
{
    for (int k = 0; affine && k < n; k++)
        use_affine(verifier, affine[k]);
}

static void use_expr(struct verifier *verifier, const struct tree_expr *expr);

static void use_element(struct verifier *verifier, const struct element *element)
{
    const int n = element->array ? element->array->n_dim : 0;

    if (!element->array)
        return;
    if (element != &verifier->at->target || !node_writes_vector(verifier->at)) /* a vector stands for it */
        verify_access(verifier, element->array);
    check_name(verifier, element->array->name);
    use(verifier, element->base);
    use_affines(verifier, element->index, n);
    use_affines(verifier, element->lane_index, element->n_lane_index);
    for (int k = 0; element->indirect && k < n; k++)
        if (!element->index[k])
            use_expr(verifier, element->indirect[k]);
    use_expr(verifier, element->distance);
}

static void use_expr(struct verifier *verifier, const struct tree_expr *expr)
{
    if (!expr)
        return;
    use_affine(verifier, expr->affine);
    use(verifier, expr->var);
    use_element(verifier, &expr->element);
    for (int k = 0; k < expr->n_arg; k++)
        use_expr(verifier, expr->arg[k]);
}

static void use_guards(struct verifier *verifier, const struct guard *guard, int n)
{
    for (int k = 0; k < n; k++)
        for (int c = 0; c < guard[k].n; c++)
            use_affine(verifier, guard[k].condition[c].affine);
}

static void use_vector(struct verifier *verifier, const struct vector *vector)
{
    if (!vector)
        return;
    use_affine(verifier, vector->count);
    use(verifier, vector->mask);
    use_affine(verifier, vector->mask_place);
    use_expr(verifier, vector->active);
    use(verifier, vector->sum);
    use_affine(verifier, vector->place);
    use_affines(verifier, vector->each, vector->registers);
}

static void use_tile_place(struct verifier *verifier, const struct tile_place *place)
{
    use_affine(verifier, place->distance);
    use_affine(verifier, place->rows);
    use_affine(verifier, place->bytes);
}

static void use_matrices(struct verifier *verifier, const struct node *node)
{
    for (int k = 0; node->tensor && k < 2; k++)
        use_affine(verifier, node->tensor->tile[k].distance);
    for (int k = 0; node->tile && k < 2; k++)
        use_tile_place(verifier, &node->tile->factor[k]);
    for (int k = 0; node->launch && k < AXIS_COUNT; k++)
        use_affine(verifier, node->launch->extent[k]);
}

/* Does it bind its variable? That of a TUPLE that takes a position apart is bound around. */
static bool binds(const struct node *node)
{
    if (node->kind == NODE_TUPLE)
        return node->axis == AXIS_NONE || node->step != 0;
    return node->kind == NODE_LOOP || node->kind == NODE_VALUE || node->kind == NODE_LET || node->kind == NODE_POINTER;
}

/* Does the variable tell instances of the node apart? */
static bool tells_apart(const struct node *node, const struct var *var)
{
    for (int d = 0; d < node->statement->n_loop; d++)
        if (affine_uses(node->argument[d], var))
            return true;
    return false;
}

static void check_inner(struct verifier *verifier, const struct node *node, const struct inner_dim *inner)
{
    if (node->argument && inner->extent > 1 && !tells_apart(node, inner->var))
        verifier_note(verifier, "tells no instances apart", inner->var);
    if (inner->lane && (!node->vector || node->vector->lanes != inner->extent))
        verifier_note(verifier, "is not the number of the vector's lanes", inner->var);
}

/* Each lane of a vector runs its instance. */
static bool has_lane(const struct node *node)
{
    for (int k = 0; k < node->n_inner; k++)
        if (node->inner[k].lane)
            return true;
    return false;
}

/* Which instances it runs, by its own variables, too; nothing is printed for it. */
static void use_instances(struct verifier *verifier, const struct node *node)
{
    if (node->vector && node->argument && !has_lane(node))
        verifier_note(verifier, "a vector does not tell its lanes' instances", NULL);
    verifier->telling = true;
    for (int k = 0; k < node->n_inner; k++) {
        bind(verifier, node->inner[k].var);
        check_inner(verifier, node, &node->inner[k]);
    }
    use_affines(verifier, node->argument, node->argument ? node->statement->n_loop : 0);
    for (int k = 0; k < node->n_also; k++)
        use_affines(verifier, node->also[k].argument, node->also[k].statement->n_loop);
    if (node->counted)
        use_guards(verifier, node->counted, 1);
    if (node->limit)
        use_affine(verifier, node->limit);
    for (int k = 0; k < node->n_inner; k++)
        unbind(verifier, node->inner[k].var);
    verifier->telling = false;
}

/* Functions and kernels have the names of what they come from before they get their own. */
static void check_names(struct verifier *verifier, const struct node *node)
{
    if (node->routine && (verifier->facts & FACT_ARGUMENTS))
        check_name(verifier, node->routine->name);
    if (node->launch && (verifier->facts & FACT_BODIES))
        check_name(verifier, node->launch->name);
    if (node->warp_sum)
        check_name(verifier, node->warp_sum->total);
}

/* What the node itself says, where its own variables are not bound yet. */
static void use_own(struct verifier *verifier, const struct node *node)
{
    if (node->kind == NODE_TUPLE && !binds(node))
        use(verifier, node->var);
    use_affine(verifier, node->lower);
    use_affine(verifier, node->upper);
    for (int k = 0; k < node->n_part; k++) {
        use_affine(verifier, node->part[k].first);
        use_affine(verifier, node->part[k].extent);
    }
    use_guards(verifier, node->alternative, node->n_alternative);
    use_instances(verifier, node);
    if (node->declares == DECLARE_NOTHING)
        use_element(verifier, &node->target);
    use_expr(verifier, node->value);
    use_expr(verifier, node->guard_value);
    use_vector(verifier, node->vector);
    use(verifier, node->into ? node->into->var : NULL);
    for (int k = 0; k < node->n_total; k++)
        use(verifier, node->total[k].var);
    for (int k = 0; k < node->n_argument_var; k++)
        use(verifier, node->argument_var[k]);
    if (node->threads)
        use_expr(verifier, node->threads->condition);
    if (node->warp_sum && node->warp_sum->update)
        use_guards(verifier, node->warp_sum->update, 1);
    use_matrices(verifier, node);
    check_names(verifier, node);
}

/* Does what is in it see its arguments only? */
static bool has_frame(const struct verifier *verifier, const struct node *node)
{
    return (verifier->facts & FACT_ARGUMENTS) &&
           (node->kind == NODE_CALL || node->kind == NODE_KERNEL || starts_threads(node));
}

/* Names that nothing uses are dead: what made them should not have. */
static void check_used(struct verifier *verifier, const struct node *node)
{
    if ((node->kind == NODE_LET || node->kind == NODE_POINTER) && !verifier->used[node->var->id])
        verifier_note(verifier, "is a name that nothing uses", node->var);
}

/* What is around the children of the node. */
static void enter(struct verifier *verifier, const struct node *node)
{
    if (has_frame(verifier, node))
        VEC_PUSH(verifier->vars->arena, &verifier->frame, node);
    for (int k = 0; k < node->n_part; k++)
        bind(verifier, node->part[k].var);
    if (binds(node))
        bind(verifier, node->var);
    if (node->kind == NODE_KERNEL) {
        verifier->kernel = node;
        verifier->copies = verifier->waits = verifier->divided = false;
        verify_find_declared(verifier, node);
    }
    if (node->kind == NODE_REGION)
        verifier->region = node;
    if (node->kind == NODE_TILES)
        verifier->shape = node->shape;
    verify_threads(verifier, node);
    verify_declare(verifier, node);
}

static void leave(struct verifier *verifier, const struct node *node, const struct verifier *outside)
{
    if (node->kind == NODE_KERNEL)
        verify_kernel_end(verifier, node);
    verifier->at = node;
    check_used(verifier, node);
    if (node->kind == NODE_LET)
        verify_lanes_leave(verifier, node);
    if (binds(node))
        unbind(verifier, node->var);
    for (int k = 0; k < node->n_part; k++)
        unbind(verifier, node->part[k].var);
    verifier->frame.n -= has_frame(verifier, node);
    verify_leave(verifier, node, outside->scope.n);
    verifier->declared.at = outside->declared.at;
    verifier->declared.n = outside->declared.n;
    verifier->declared.capacity = outside->declared.capacity;
    verifier->kernel = outside->kernel;
    verifier->region = outside->region;
    verifier->shape = outside->shape;
    verifier->divided = outside->divided;
}

/* What goes on where a loop ends stands behind that loop. */
static void check_order(struct verifier *verifier, const struct node *node)
{
    const struct node *before = NULL;

    for (int k = 0; k < node->n_child; k++) {
        const struct node *child = node->child[k];
        if (child->continues &&
            (node->kind != NODE_BLOCK || !before || before->kind != NODE_LOOP || before->var != child->var))
            verifier_note(verifier, "goes on where no loop ends", child->var);
        before = child;
    }
}

static void verify(struct verifier *verifier, const struct node *node)
{
    const struct verifier outside = *verifier;

    verifier->at = node;
    if (tree_fact_broken(verifier->facts, node))
        verifier_note(verifier, tree_fact_broken(verifier->facts, node), NULL);
    use_own(verifier, node);
    if (verifier->vars->broken)
        return;
    verify_types(verifier, node);
    verify_lanes(verifier, node);
    verify_tiles(verifier, node);
    verify_memory(verifier, node);
    check_order(verifier, node);
    enter(verifier, node);
    for (int k = 0; k < node->n_child && !verifier->vars->broken; k++)
        verify(verifier, node->child[k]);
    leave(verifier, node, &outside);
}

const struct node *tree_verified(struct vars *vars, unsigned facts, const char *pass, const struct node *tree)
{
    struct verifier verifier = {.vars = vars, .facts = facts, .pass = pass};

    if (!tree || vars->broken)
        return NULL;
    verifier.binder = ARENA_ARRAY(vars->arena, vars->all.n + 1, const struct node *);
    verifier.used = ARENA_ARRAY(vars->arena, vars->all.n + 1, bool);
    verifier.lanes = ARENA_ARRAY(vars->arena, vars->all.n + 1, enum lanes_active);
    verifier.depth = ARENA_ARRAY(vars->arena, vars->all.n + 1, int);
    verifier.differs = ARENA_ARRAY(vars->arena, vars->all.n + 1, bool);
    verify_find_declared(&verifier, tree);
    verify(&verifier, tree);
    return vars->broken ? NULL : tree;
}
