/* What the headers of emitted CUDA files define, beyond what is reserved everywhere. */
#include "base/names.h"
#include "target/device/file.h"

#include <string.h>

/* Lists of words, separated by blanks. */
static const char macro[] =
    "ADJ_ESTERROR ADJ_FREQUENCY ADJ_MAXERROR ADJ_MICRO ADJ_NANO ADJ_OFFSET ADJ_OFFSET_SINGLESHOT "
    "ADJ_OFFSET_SS_READ ADJ_SETOFFSET ADJ_STATUS ADJ_TAI ADJ_TICK ADJ_TIMECONST AIO_PRIO_DELTA_MAX BC_BASE_MAX "
    "BC_DIM_MAX BC_SCALE_MAX BC_STRING_MAX BIG_ENDIAN BOOL_MAX BOOL_WIDTH BUFSIZ BYTE_ORDER CHARCLASS_NAME_MAX "
    "CHAR_BIT CHAR_MAX CHAR_MIN CHAR_WIDTH CLOCKS_PER_SEC CLOCK_BOOTTIME CLOCK_BOOTTIME_ALARM CLOCK_MONOTONIC "
    "CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC_RAW CLOCK_PROCESS_CPUTIME_ID CLOCK_REALTIME CLOCK_REALTIME_ALARM "
    "CLOCK_REALTIME_COARSE CLOCK_TAI CLOCK_THREAD_CPUTIME_ID COLL_WEIGHTS_MAX CUDARTAPI_CDECL CUDART_DEVICE "
    "CUDART_INF_BF16 CUDART_INF_FP16 CUDART_MAX_NORMAL_BF16 CUDART_MAX_NORMAL_FP16 CUDART_MIN_DENORM_BF16 "
    "CUDART_MIN_DENORM_FP16 CUDART_NAN_BF16 CUDART_NAN_FP16 CUDART_NEG_ZERO_BF16 CUDART_NEG_ZERO_FP16 "
    "CUDART_ONE_BF16 CUDART_ONE_FP16 CUDART_VERSION CUDART_ZERO_BF16 CUDART_ZERO_FP16 CUDA_DOUBLE_MATH_FUNCTIONS "
    "CUDA_IPC_HANDLE_SIZE CU_UUID_HAS_BEEN_DEFINED DELAYTIMER_MAX EOF EXPR_NEST_MAX FD_SETSIZE FILENAME_MAX "
    "FOPEN_MAX FP_INT_DOWNWARD FP_INT_TONEAREST FP_INT_TONEARESTFROMZERO FP_INT_TOWARDZERO FP_INT_UPWARD "
    "FP_LLOGB0 FP_LLOGBNAN HOST_NAME_MAX HUGE_VAL_F32 HUGE_VAL_F32X HUGE_VAL_F64 HUGE_VAL_F64X INT_MAX INT_MIN "
    "INT_WIDTH IOV_MAX LINE_MAX LITTLE_ENDIAN LLONG_MAX LLONG_MIN LLONG_WIDTH LOGIN_NAME_MAX LONG_BIT "
    "LONG_LONG_MAX LONG_LONG_MIN LONG_MAX LONG_MIN LONG_WIDTH L_ctermid L_cuserid L_tmpnam MAXFLOAT MAX_CANON "
    "MAX_INPUT MB_LEN_MAX MOD_CLKA MOD_CLKB MOD_ESTERROR MOD_FREQUENCY MOD_MAXERROR MOD_MICRO MOD_NANO MOD_OFFSET "
    "MOD_STATUS MOD_TAI MOD_TIMECONST MQ_PRIO_MAX NAME_MAX NFDBITS NGROUPS_MAX NL_ARGMAX NL_LANGMAX NL_MSGMAX "
    "NL_NMAX NL_SETMAX NL_TEXTMAX NZERO PATH_MAX PDP_ENDIAN PIPE_BUF PTHREAD_DESTRUCTOR_ITERATIONS "
    "PTHREAD_KEYS_MAX PTHREAD_STACK_MIN PTRDIFF_WIDTH P_tmpdir RENAME_EXCHANGE RENAME_NOREPLACE RENAME_WHITEOUT "
    "RE_DUP_MAX RTSIG_MAX SCHAR_MAX SCHAR_MIN SCHAR_WIDTH SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE SEEK_SET "
    "SEM_VALUE_MAX SHRT_MAX SHRT_MIN SHRT_WIDTH SIG_ATOMIC_WIDTH SIZE_WIDTH SNAN SNANF SNANF32 SNANF32X SNANF64 "
    "SNANF64X SNANL SSIZE_MAX STA_CLK STA_CLOCKERR STA_DEL STA_FLL STA_FREQHOLD STA_INS STA_MODE STA_NANO STA_PLL "
    "STA_PPSERROR STA_PPSFREQ STA_PPSJITTER STA_PPSSIGNAL STA_PPSTIME STA_PPSWANDER STA_RONLY STA_UNSYNC "
    "TIMER_ABSTIME TIME_UTC TMP_MAX TTY_NAME_MAX UCHAR_MAX UCHAR_WIDTH UINT_MAX UINT_WIDTH ULLONG_MAX "
    "ULLONG_WIDTH ULONG_LONG_MAX ULONG_MAX ULONG_WIDTH USHRT_MAX USHRT_WIDTH WCHAR_WIDTH WCONTINUED WEXITED "
    "WINT_WIDTH WNOHANG WNOWAIT WORD_BIT WSTOPPED WUNTRACED XATTR_LIST_MAX XATTR_NAME_MAX XATTR_SIZE_MAX";

/* Functions of <math.h>: these, and with the endings below. */
static const char mathematics[] =
    "acos acosh asin asinh atan atan2 atanh atol canonicalize cbrt ceil copysign cos cosh cospi cyl_bessel_i0 "
    "cyl_bessel_i1 dadd dmul drem dsub erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fadd fdim fdiv "
    "fdivide ffma ffs ffsl finite floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fmin "
    "fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag fmod fmul frexp fromfp fromfpx fsqrt fsub gamma "
    "getpayload hypot ilogb j0 j1 jn ldexp lgamma llogb llrint llround log log10 log1p log2 logb lrint lround "
    "modf nan nearbyint nextafter nextdown nexttoward nextup norm norm3d norm4d normcdf normcdfinv pow rcbrt "
    "remainder remquo rhypot rint rnorm rnorm3d rnorm4d round roundeven rsqrt scalb scalbln scalbn setpayload "
    "setpayloadsig significand sin sincos sincospi sinh sinpi sqrt strtol strtoul tan tanh tgamma totalorder "
    "totalordermag trunc ufromfp ufromfpx y0 y1 yn";

static const char ending[] = "f l f32 f64 f32x f64x";

/* Other functions, types and variables. */
static const char global[] =
    "CUDA_C_16BF CUDA_C_16F CUDA_C_16I CUDA_C_16U CUDA_C_32F CUDA_C_32I CUDA_C_32U CUDA_C_4I CUDA_C_4U CUDA_C_64F "
    "CUDA_C_64I CUDA_C_64U CUDA_C_8I CUDA_C_8U CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC "
    "CUDA_EMULATION_MANTISSA_CONTROL_FIXED CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT "
    "CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_INFINITY CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NAN "
    "CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NONE CUDA_EMULATION_STRATEGY_DEFAULT CUDA_EMULATION_STRATEGY_EAGER "
    "CUDA_EMULATION_STRATEGY_PERFORMANT CUDA_R_16BF CUDA_R_16F CUDA_R_16I CUDA_R_16U CUDA_R_32F CUDA_R_32I "
    "CUDA_R_32U CUDA_R_4F_E2M1 CUDA_R_4I CUDA_R_4U CUDA_R_64F CUDA_R_64I CUDA_R_64U CUDA_R_6F_E2M3 CUDA_R_6F_E3M2 "
    "CUDA_R_8F_E4M3 CUDA_R_8F_E5M2 CUDA_R_8F_UE4M3 CUDA_R_8F_UE8M0 CUDA_R_8I CUDA_R_8U CUuuid MAJOR_VERSION "
    "MINOR_VERSION PATCH_LEVEL a64l all alloca any arc4random arc4random_buf arc4random_uniform asctime asctime_r "
    "at_quick_exit atexit atof atoi atomicAdd_block atomicAdd_system atomicAnd_block atomicAnd_system "
    "atomicCAS_block atomicCAS_system atomicDec atomicDec_block atomicDec_system atomicExch_block "
    "atomicExch_system atomicInc atomicInc_block atomicInc_system atomicMax_block atomicMax_system "
    "atomicMin_block atomicMin_system atomicOr_block atomicOr_system atomicSub_block atomicSub_system "
    "atomicXor_block atomicXor_system ballot basename bcmp bcopy blkcnt64_t blkcnt_t blksize_t bsearch bzero "
    "caddr_t canonicalize_file_name clearenv clock clock64 clock_adjtime clock_getcpuclockid clock_getres "
    "clock_gettime clock_nanosleep clock_settime clock_t clockid_t comparison_fn_t ctime ctime_r cuda daddr_t "
    "daylight ddivl dev_t dfmal difftime div double2int double2ll double2uint double2ull double4_16a double4_32a "
    "drand48 drand48_r dsqrtl dysize ecvt ecvt_r erand48 erand48_r explicit_bzero f32addf32x f32addf64 f32addf64x "
    "f32divf32x f32divf64 f32divf64x f32fmaf32x f32fmaf64 f32fmaf64x f32mulf32x f32mulf64 f32mulf64x f32sqrtf32x "
    "f32sqrtf64 f32sqrtf64x f32subf32x f32subf64 f32subf64x f32xaddf64 f32xaddf64x f32xdivf64 f32xdivf64x "
    "f32xfmaf64 f32xfmaf64x f32xmulf64 f32xmulf64x f32xsqrtf64 f32xsqrtf64x f32xsubf64 f32xsubf64x f64addf64x "
    "f64divf64x f64fmaf64x f64mulf64x f64sqrtf64x f64subf64x fcvt fcvt_r fd_mask fd_set float2double fsblkcnt64_t "
    "fsblkcnt_t fsfilcnt64_t fsfilcnt_t fsid_t gcvt getdate getdate_err getdate_r getenv getloadavg getpt "
    "getsubopt gid_t gmtime gmtime_r grantpt h2ceil h2cos h2exp h2exp10 h2exp2 h2floor h2log h2log10 h2log2 h2rcp "
    "h2rint h2rsqrt h2sin h2sqrt h2tanh h2tanh_approx h2trunc hceil hcos hexp hexp10 hexp2 hfloor hlog hlog10 "
    "hlog2 hrcp hrint hrsqrt hsin hsqrt htanh htanh_approx htrunc id_t index initstate initstate_r ino64_t ino_t "
    "int2double isalnum isalnum_l isalpha isalpha_l isascii isblank isblank_l iscanonical iscntrl iscntrl_l "
    "isctype isdigit isdigit_l iseqsig isgraph isgraph_l isinff isinfl islower islower_l isnanf isnanl isprint "
    "isprint_l ispunct ispunct_l issignaling isspace isspace_l isupper isupper_l isxdigit isxdigit_l iszero "
    "jrand48 jrand48_r key_t l64a lcong48 lcong48_r ldiv lgamma_r lgammaf32_r lgammaf32x_r lgammaf64_r "
    "lgammaf64x_r lgammaf_r lgammal_r libraryPropertyType ll2double lldiv llmax llmin locale_t localtime "
    "localtime_r loff_t long4_16a long4_32a longlong4_16a longlong4_32a lrand48 lrand48_r make_bfloat162 "
    "make_double4_16a make_double4_32a make_long4_16a make_long4_32a make_longlong4_16a make_longlong4_32a "
    "make_ulong4_16a make_ulong4_32a make_ulonglong4_16a make_ulonglong4_32a mblen mbstowcs mbtowc memccpy memchr "
    "memfrob memmem mempcpy memrchr mkdtemp mkostemp mkostemp64 mkostemps mkostemps64 mkstemp mkstemp64 mkstemps "
    "mkstemps64 mktemp mktime mode_t mrand48 mrand48_r nanosleep nlink_t nrand48 nrand48_r nullptr_t nv nv_half "
    "nv_half2 off64_t off_t on_exit pid_t posix_openpt pselect pthread_attr_t pthread_barrier_t "
    "pthread_barrierattr_t pthread_cond_t pthread_condattr_t pthread_key_t pthread_mutex_t pthread_mutexattr_t "
    "pthread_once_t pthread_rwlock_t pthread_rwlockattr_t pthread_spinlock_t pthread_t ptsname ptsname_r putenv "
    "qecvt qecvt_r qfcvt qfcvt_r qgcvt qsort qsort_r quad_t quick_exit rand rand_r random random_r rawmemchr "
    "reallocarray realpath register_t rindex rpmatch secure_getenv seed48 seed48_r select setenv setstate "
    "setstate_r sigabbrev_np sigdescr_np signgam sigset_t srand srand48 srand48_r srandom srandom_r ssize_t "
    "stpcpy stpncpy strcasecmp strcasecmp_l strcasestr strcat strchr strchrnul strcmp strcoll strcoll_l strcpy "
    "strcspn strdup strerror strerror_l strerror_r strerrordesc_np strerrorname_np strfromd strfromf strfromf32 "
    "strfromf32x strfromf64 strfromf64x strfroml strfry strftime strftime_l strncasecmp strncasecmp_l strncat "
    "strncmp strncpy strndup strnlen strpbrk strptime strptime_l strrchr strsep strsignal strspn strstr strtod "
    "strtod_l strtof strtof32 strtof32_l strtof32x strtof32x_l strtof64 strtof64_l strtof64x strtof64x_l strtof_l "
    "strtok strtok_r strtol_l strtold strtold_l strtoll_l strtoq strtoul_l strtoull_l strtouq strverscmp strxfrm "
    "strxfrm_l surf1DLayeredread surf1DLayeredwrite surf1Dread surf1Dwrite surf2DLayeredread surf2DLayeredwrite "
    "surf2Dread surf2Dwrite surf3Dread surf3Dwrite surfCubemapLayeredread surfCubemapLayeredwrite surfCubemapread "
    "surfCubemapwrite suseconds_t syncthreads_and syncthreads_count syncthreads_or system tex1D tex1DGrad "
    "tex1DLayered tex1DLayeredGrad tex1DLayeredLod tex1DLod tex1Dfetch tex2D tex2DGrad tex2DLayered "
    "tex2DLayeredGrad tex2DLayeredLod tex2DLod tex2Dgather tex3D tex3DGrad tex3DLod texCubemap texCubemapGrad "
    "texCubemapLayered texCubemapLayeredGrad texCubemapLayeredLod texCubemapLod time time_t timegm timelocal "
    "timer_create timer_delete timer_getoverrun timer_gettime timer_settime timer_t timespec_get timespec_getres "
    "timezone toascii tolower tolower_l toupper toupper_l tzname tzset u_char u_int u_int16_t u_int32_t u_int64_t "
    "u_int8_t u_long u_quad_t u_short uid_t uint uint2double ull2double ullmax ullmin ulong ulong4_16a ulong4_32a "
    "ulonglong4_16a ulonglong4_32a umax umin unlockpt unsetenv useconds_t ushort valloc wcstombs wctomb";

static bool is_listed(const char *name, size_t size, const char *list)
{
    size_t length;

    for (const char *word = list; *word; word += length + strspn(word + length, " ")) {
        length = strcspn(word, " ");
        if (length == size && memcmp(word, name, size) == 0)
            return true;
    }
    return false;
}

/* Does the name consist of one that has the property, and an ending? */
static bool has_ending(const char *name, bool (*is)(const char *name, size_t size))
{
    const size_t size = strlen(name);

    for (size_t k = 1; k < size; k++)
        if (is(name, k) && is_listed(name + k, size - k, ending))
            return true;
    return false;
}

static bool is_mathematics(const char *name, size_t size)
{
    return is_listed(name, size, mathematics);
}

/* M_PI and the like, which are reserved without an ending. */
static bool is_constant(const char *name, size_t size)
{
    char word[16] = "";

    if (size >= sizeof(word) || strncmp(name, "M_", 2) != 0)
        return false;
    memcpy(word, name, size);
    return name_is_reserved(word);
}

bool device_is_macro(const char *name)
{
    return is_listed(name, strlen(name), macro) || strncmp(name, "NV_IS_", 6) == 0 ||
           strncmp(name, "NV_PROVIDES_", 12) == 0 || strncmp(name, "NV_HAS_FEATURE_", 15) == 0 ||
           strncmp(name, "NV_TARGET_", 10) == 0 || has_ending(name, is_constant);
}

bool device_is_global(const char *name)
{
    const size_t size = strlen(name);

    return is_listed(name, size, mathematics) || is_listed(name, size, global) || has_ending(name, is_mathematics) ||
           (strncmp(name, "make_", 5) == 0 && name_is_reserved(name + 5));
}
